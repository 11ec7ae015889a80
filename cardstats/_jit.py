"""The one numba policy of the package, and the checked conversion of arrays that meet kernels.

Every kernel is compiled by `kernel`: lazily, without the GIL, cached on disk where a disk will
have it. Inputs are normalised here to one layout and dtype, so that each kernel compiles once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core.caching import FunctionCache
from numpy.typing import ArrayLike, NDArray

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile a function at its first call: no GIL, no fastmath, no parallel, cached if possible.

    ``parallel=True`` aborts the process when it meets fork or threads; several cores are the
    business of `cardstats._engine`, which calls kernels from threads.
    """
    dispatcher = numba.njit(nogil=True, error_model="numpy")(function)
    # A cache that cannot be placed (no HOME, read-only package) is done without.
    try:
        dispatcher._cache = _DigestCache(function)
    except (RuntimeError, OSError):
        pass
    return dispatcher  # type: ignore[no-any-return]


class _DigestCache(FunctionCache):  # type: ignore[misc]
    """numba's cache, keyed by all kernel sources too.

    numba looks only at the function's own file: an inlined helper that changed in another
    module would leave a stale kernel that answers wrongly.
    """

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (*super()._index_key(sig, codegen), source_digest())

    def save_overload(self, sig: Any, data: Any) -> None:
        # A full or vanished disk costs the next process a compilation, not this one its answer.
        try:
            super().save_overload(sig, data)
        except OSError:
            return


@cache
def source_digest() -> str:
    """Digest of every source file that a compiled kernel may contain."""
    package = Path(__file__).parent
    sources = [*package.glob("_*.py"), *package.glob("*/*.py")]
    digest = hashlib.sha256()
    for source in sorted(sources):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def as_integers(array: ArrayLike, argument: str) -> NDArray[Any]:
    """An array of integers as it came, or a TypeError; booleans are no integers here."""
    found = np.asarray(array)
    if found.dtype.kind not in "ui":
        kind = "text" if found.dtype.kind in "US" else f"dtype {found.dtype}"
        raise TypeError(f"{argument}: expected an array of integers, got {kind}")
    return found


def as_uint8(
    array: NDArray[Any], upper: int, refuse: Callable[[NDArray[Any]], None]
) -> NDArray[np.uint8]:
    """The same numbers as uint8, without a copy where there are eight bits already.

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
    """A read-only view: numba types read-only arrays apart, and one type is compiled, not two."""
    view = array.view()
    view.flags.writeable = False
    return view


def prepare_out(
    out: NDArray[Any] | None, shape: tuple[int, ...], dtype: type[np.generic], source: NDArray[Any]
) -> NDArray[Any]:
    """A C-ordered array for a kernel to fill: `out` itself where that is one apart from `source`.

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
    if out.flags.c_contiguous and not np.may_share_memory(out, source):
        return out
    return np.empty(shape, dtype)


def deliver(filled: NDArray[Any], out: NDArray[Any] | None) -> Any:
    """What the caller gets: `out` if there is one, a scalar for a single hand, else the array."""
    if out is not None and out is not filled:
        out[...] = filled
    result = filled if out is None else out
    return result[()] if result.ndim == 0 else result
