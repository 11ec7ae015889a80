"""The one numba policy of the package, and the checked conversion of arrays that meet kernels.

Every kernel is compiled by `kernel`: lazily, without the GIL, cached on disk where a disk will
have it. Inputs are normalised here to one layout and dtype, so that each kernel compiles once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.caching import FunctionCache
from numpy.typing import ArrayLike, NDArray

from cardstats._checks import as_array

# What an address can tell apart: memory ends long before, and says so itself.
MAX_BYTES = int(np.iinfo(np.intp).max)
NO_SUCH_ARRAY = "no array is so large"

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile a function at its first call: no GIL, no fastmath, no parallel, cached if possible.

    ``parallel=True`` aborts the process when it meets fork or threads; several cores are the
    business of `cardstats._engine`, which calls kernels from threads.
    """
    dispatcher: Any = numba.njit(nogil=True, error_model="numpy")(function)
    # A cache that cannot be placed (no HOME, read-only package) is done without.
    with suppress(RuntimeError, OSError):
        dispatcher._cache = _DigestCache(function)
    return cast(F, dispatcher)


class _DigestCache(FunctionCache):  # type: ignore[misc]
    """numba's cache, keyed by all kernel sources too.

    numba looks only at the function's own file: an inlined helper that changed in another
    module would leave a stale kernel that answers wrongly.
    """

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (*super()._index_key(sig, codegen), source_digest())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        # A file that is damaged (what unpickling it raises is anyone's guess) or not ours to read
        # costs a compilation, not the answer, and is replaced by what was compiled.
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        # A full or vanished disk costs the next process a compilation, not this one its answer.
        with suppress(OSError):
            super().save_overload(sig, data)


def kernel_sources() -> list[Path]:
    """List the source files that a compiled kernel may contain: of the games, and what they share.

    No others: each change of one of them has all kernels compiled again.
    """
    package = Path(__file__).parent
    patterns = ("cards.py", "_jit.py", "_lanes.py", "_random.py", "*/*.py")
    return sorted(file for pattern in patterns for file in package.glob(pattern))


@cache
def source_digest() -> str:
    """Digest of every source file that a compiled kernel may contain."""
    digest = hashlib.sha256()
    for source in kernel_sources():
        digest.update(source.read_bytes())
    return digest.hexdigest()


def as_integers(array: ArrayLike, argument: str) -> NDArray[Any]:
    """Take an array of integers as it came; booleans are no integers here.

    Raises
    ------
    TypeError
        If it holds anything else; the message names `argument`.
    """
    found = as_array(array, argument, "integers")
    if found.dtype.kind not in "ui":
        kind = "text, which parse reads" if found.dtype.kind in "US" else f"dtype {found.dtype}"
        raise TypeError(f"{argument}: expected an array of integers, got {kind}")
    return found


def as_uint8(
    array: NDArray[Any], upper: int, refuse: Callable[[NDArray[Any]], None]
) -> NDArray[np.uint8]:
    """Give the same numbers as uint8, without a copy where there are eight bits already.

    Wider integers are checked before they are cast (300 must not wrap into a card); bytes are
    left to the kernel, which looks at each of them anyway, an int8 of -1 being a uint8 of 255.

    Parameters
    ----------
    array : ndarray of integers
    upper : int
        The largest number allowed, below 255.
    refuse : callable
        Called with `array` if it holds a number outside 0…`upper`; raises.
    """
    if array.dtype.itemsize == 1:
        return array.view(np.uint8)
    native = array.astype(array.dtype.newbyteorder("="), copy=False)
    # Seen as unsigned, a negative number is a large one: one pass finds both ends.
    unsigned = native.view(native.dtype.str.replace("i", "u"))
    if unsigned.size and unsigned.max() > upper:
        refuse(array)
    return native.astype(np.uint8)


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Give a read-only view: numba types those apart, and one type is compiled, not two."""
    view = array.view()
    view.flags.writeable = False
    return view


def prepare_out(
    out: NDArray[Any] | None, shape: tuple[int, ...], dtype: type[np.generic], source: NDArray[Any]
) -> NDArray[Any]:
    """Give a C-ordered array for a kernel to fill: `out` itself where that is one.

    An `out` that overlaps `source`, or is no plain array, is filled by `deliver`.

    Raises
    ------
    TypeError, ValueError
        If `out` is no array, or of another dtype or shape, or read-only.
    """
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out: expected an array, got {type(out).__name__}")
    if out.dtype != dtype:
        raise TypeError(f"out: expected dtype {np.dtype(dtype)}, got {out.dtype}")
    if out.shape != shape:
        raise ValueError(f"out: expected shape {shape}, got {out.shape}")
    if not out.flags.writeable:
        raise ValueError("out: is read-only")
    # A matrix stays two-dimensional whatever is done to it: kernels get none of ndarray's kin.
    plain = type(out) in (np.ndarray, np.memmap) and out.flags.c_contiguous and out.flags.aligned
    if plain and not np.may_share_memory(out, source):
        return out
    return np.empty(shape, dtype)


def deliver(filled: NDArray[Any], out: NDArray[Any] | None) -> Any:
    """Give what the caller gets: `out` if there is one, else the array, or a hand's scalar."""
    if out is None:
        return filled[()] if filled.ndim == 0 else filled
    if out is not filled:
        out[...] = filled
    return out
