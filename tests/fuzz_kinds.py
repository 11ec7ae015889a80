"""Kinds of arguments: good ones, odd ones, and how each is read."""

from __future__ import annotations

import array
import datetime as dt
import decimal
import math
import random
import re
import tempfile
import types
import warnings
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from cardstats import blackjack, mahjong, three_card


class Refused(Exception):  # noqa: N818  # no error, but an answer
    """The plain answer to what must be refused; carries the arguments that may be blamed."""

    def __init__(self, *names: str) -> None:
        super().__init__(*names)
        self.names = set(names)


class _Unsure:
    """Stands for what may be taken or refused: the promise says neither."""

    def __repr__(self) -> str:
        return "UNSURE"


UNSURE = _Unsure()
ANY = _Unsure()  # for an answer that no plain one stands beside


class Answer:
    """A plain answer in the form of a question to the one that was given."""

    def __init__(self, holds: Callable[[Any], bool]) -> None:
        self.holds = holds


def as_before(function: Callable[..., Any], **fixed: Any) -> Callable[..., Any]:
    """Answer as the same call does with plain arguments, once for all."""
    kept: dict[str, Any] = {}

    def answer(**arguments: Any) -> Any:
        # Python writes no int of thousands of digits, but in base 16.
        key = str([hex(v) if type(v) is int else repr(v) for v in arguments.values()])
        if key not in kept:
            kept[key] = function(**{**arguments, **fixed})
        return kept[key]

    return answer


# --- Anything at all --------------------------------------------------------------------------


class Tantrum(Exception):  # noqa: N818
    """What hostile objects raise, whatever is asked of them."""


def hostile(method: str, error: type[Exception] = Tantrum) -> Any:
    """Make an object one of whose methods raises."""

    def rage(self: object, *args: object, **kwargs: object) -> Any:
        raise error("a tantrum")

    made = type(f"Hostile{method}", (), {method: rage, "__hash__": lambda self: 1})
    return made()


class Index:
    """Passes for an integer where only `__index__` is asked."""

    def __index__(self) -> int:
        return 3


class Arraylike:
    """Has no more than `__array__`."""

    def __init__(self, held: np.ndarray) -> None:
        self.held = held

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.held if dtype is None else self.held.astype(dtype)


def structured() -> np.ndarray:
    return np.zeros(3, dtype=[("rank", "u1"), ("suit", "u1")])


def pandas_of(values: np.ndarray) -> Any:
    """Give a Series or a DataFrame where pandas is installed, else a list."""
    try:
        import pandas as pd
    except ImportError:
        return values.tolist()
    return pd.Series(values) if values.ndim == 1 else pd.DataFrame(values)


TEXTS = [
    "",
    " ",
    "\n",
    "\0",
    "As\0Kd",
    "As Kd 7c",
    "Аs Kd 7c",  # a Cyrillic А
    "Ꭺs",
    "Ａｓ　Ｋｄ　７ｃ",  # full-width, which NFKC makes plain
    "A\u0301s",
    "A\u200bs Kd 7c",
    "\u202eAs Kd 7c",
    "\ud800",
    "As \udfff",
    "1２3m",
    "١٢٣m",  # Arabic digits
    "1️⃣",
    "ſ",
    "ı",
    "K",  # the Kelvin sign
    "½",
    "nan",
    "-1",
    "1e400",
    "9" * 5000,
    "A" * 10**6,
    " " * 10**6,
    "♠" * 10**5,
    "As " * 10**6,
    "1m" * 10**6,
    "A" + "\u0301\u0327" * 10**5,  # takes minutes to normalise
    "category",
    "Category",
    "category ",
    "sеcond",  # a Cyrillic е
    "highest\n",
    "zha-jin-hua",
    "chinese",
    "win",
    "en",
    "EN",
    "%s %n {0} {x}",
    "../../etc/passwd",
]

NUMBERS = [
    0, 1, -1, 2, 3, 17, 18, 52, 53, 255, 256, -128, 2**31, 2**32, 2**63 - 1, 2**63, -(2**63) - 1,
    2**64, 2**200, -(2**200), 10**5000,
    0.0, -0.0, 0.5, 1.0, 2.5, 1e300, -1e300, math.nan, math.inf, -math.inf, 5e-324,
    True, False, 1j, complex(math.nan, 0), Fraction(1, 3), Fraction(3), decimal.Decimal(1),
    decimal.Decimal("NaN"),
]  # fmt: skip

NUMPY_SCALARS = [
    np.int8(3), np.uint8(200), np.int16(-1), np.uint64(2**64 - 1), np.int64(2), np.float16(1),
    np.float32("nan"), np.float64(2), np.longdouble(1), np.bool_(True), np.complex64(1),
    np.str_("category"), np.bytes_(b"x"), np.datetime64("2020-01-01"), np.timedelta64(1, "s"),
]  # fmt: skip

STRANGE: list[Callable[[], Any]] = [
    lambda: None,
    lambda: NotImplemented,
    lambda: ...,
    object,
    lambda: int,
    lambda: lambda *args: None,
    lambda: np,
    lambda: b"As Kd 7c",
    lambda: bytearray(b"\x01\x02\x03"),
    lambda: memoryview(b"\x01\x02\x03"),
    lambda: array.array("h", [1, 2, 3]),
    list,
    tuple,
    dict,
    set,
    frozenset,
    lambda: [[]],
    lambda: [[], []],
    lambda: [None],
    lambda: [1, 2, 3],
    lambda: (1, 2, 3),
    lambda: {1, 2, 3},
    lambda: {"a": 1, "b": 2},
    lambda: {1: {2: 3}},
    lambda: [[1, 2, 3], [4, 5]],
    lambda: [[1, 2, 3], 4],
    lambda: [1, [2, [3]]],
    lambda: ["As", "Kd", "7c"],
    lambda: [1.5, 2, 3],
    lambda: [True, False, True],
    lambda: [1, None, 3],
    lambda: [1, 2**200, 3],
    lambda: [-1, 2**63, 3],
    lambda: range(3),
    lambda: iter([1, 2, 3]),
    lambda: (number for number in (1, 2, 3)),
    lambda: zip([1], [2], strict=True),
    lambda: map(int, "123"),
    lambda: np.array(3),
    lambda: np.array([1, 2, 3]),
    lambda: np.array(["a", "b"]),
    lambda: np.array([None, 1], dtype=object),
    lambda: np.empty(0),
    lambda: np.empty((0, 3)),
    lambda: np.zeros((2, 3)),
    lambda: np.full((2, 3), np.nan),
    lambda: np.zeros((1,) * 32, dtype=int),
    lambda: np.ma.masked,
    lambda: np.ma.array([1, 2, 3], mask=[0, 1, 0]),
    structured,
    lambda: pandas_of(np.array([1, 2, 3])),
    lambda: pandas_of(np.arange(6).reshape(2, 3)),
    lambda: Path("nowhere"),
    lambda: dt.date(2020, 1, 1),
    lambda: re.compile("x"),
    lambda: random.Random(1),
    lambda: np.random.default_rng(1),
    lambda: np.random.SeedSequence(1),
    lambda: np.random.RandomState(1),
    lambda: three_card.ZHA_JIN_HUA,
    lambda: three_card.Rules,
    lambda: three_card.Category.PAIR,
    lambda: mahjong.CHINESE,
    lambda: mahjong.Form.STANDARD,
    lambda: blackjack.SEED_RULES,
    lambda: blackjack.MIMIC_DEALER,
    lambda: types.SimpleNamespace(name="zha-jin-hua", a23="second", codes=(), transitive=True),
    lambda: Exception("thrown in"),
    Index,
    *(
        lambda method=method: hostile(method)
        for method in ("__array__", "__index__", "__len__", "__eq__", "__iter__", "__bool__",
                       "__int__", "__float__", "__str__", "__fspath__", "__getitem__",
                       "__call__")
    ),
    lambda: hostile("__repr__"),
    lambda: hostile("__array__", ValueError),
    lambda: hostile("__len__", TypeError),
]  # fmt: skip


def anything(r: random.Random) -> Any:
    """Draw from all that Python has."""
    pool = r.choice((STRANGE, STRANGE, NUMBERS, TEXTS, NUMPY_SCALARS))
    drawn = r.choice(pool)
    return drawn() if pool is STRANGE else drawn


# --- Kinds of arguments -----------------------------------------------------------------------


class Kind:
    """What an argument may be.

    `good` draws a value that must be taken, `odd` one that may be anything, and `read` gives the
    plain Python value of either: or raises Refused, or gives UNSURE.
    """

    always = False  # given in every call, even where there is a default

    def good(self, r: random.Random) -> Any:
        raise NotImplementedError

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        return anything(r)

    def read(self, value: Any) -> Any:
        raise NotImplementedError


class Fixed(Kind):
    """Is one of some values, and never anything else: not for the fuzz to change."""

    def __init__(self, *values: Any) -> None:
        self.values = values

    def good(self, r: random.Random) -> Any:
        value = r.choice(self.values)
        return value() if isinstance(value, types.FunctionType) else value

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        return self.good(r)

    def read(self, value: Any) -> Any:
        return value


class Is(Kind):
    """Is of one type: rules, policies, results. Whatever is of that type is taken."""

    def __init__(self, *values: Any, none: bool = False, also: tuple[type, ...] = ()) -> None:
        self.values = [*values, *([None] if none else [])]
        self.types = (*{type(value) for value in self.values}, *also)

    def good(self, r: random.Random) -> Any:
        return r.choice(self.values)

    def read(self, value: Any) -> Any:
        if not isinstance(value, self.types):
            raise Refused
        return value


class Whole(Kind):
    """Is an integer of any integer type, but no boolean, and within bounds.

    What is allowed but would take too long, above `cap`, is not asked.
    """

    def __init__(
        self,
        least: int = 0,
        most: int | float = math.inf,
        cap: int | float = math.inf,
        none: bool = False,
    ) -> None:
        self.least, self.most, self.cap, self.none = least, most, min(cap, most), none

    def good(self, r: random.Random) -> Any:
        if self.none and r.random() < 0.3:
            return None
        number = r.randint(self.least, int(min(self.cap, self.least + 1000)))
        kinds = [int, int, int, np.int64, np.uint8 if 0 <= number < 256 else int]
        return r.choice(kinds)(number)

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        edges = [self.least - 1, -self.least - 1, self.most, str(self.least), float(self.least)]
        edges += [self.most + 1, np.float64(self.least), [self.least], np.array(self.least)]
        if self.least <= 1:
            edges += [True, np.bool_(True)]
        for _ in range(20):
            value = r.choice(edges) if r.random() < 0.3 else anything(r)
            if not (is_whole(value) and self.cap < value <= self.most):
                return value
        return None

    def read(self, value: Any) -> Any:
        if value is None and self.none:
            return None
        if isinstance(value, Index):
            return UNSURE
        if not is_whole(value) or not self.least <= int(value) <= self.most:
            raise Refused
        return int(value)


def is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64)


class Word(Kind):
    """Is one of some words, or None where that is among them."""

    def __init__(self, *words: str | None) -> None:
        self.words = words

    def good(self, r: random.Random) -> Any:
        return r.choice(self.words)

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        word = str(self.words[0])
        near = [word.upper(), f" {word}", f"{word}\n", word[:-1], word.encode(), [word], (word,),
                word.replace("e", "е"), word.replace("a", "а"), f"{word}\u200b", np.array(word),
                np.array([word]), np.str_(word), {word}, {word: word}, f"{word}\0"]  # fmt: skip
        return r.choice(near) if r.random() < 0.5 else anything(r)

    def read(self, value: Any) -> Any:
        if not (value is None or isinstance(value, str)) or value not in self.words:
            raise Refused
        return None if value is None else str(value)


class Flag(Kind):
    """Is True or False and nothing that is like them."""

    def good(self, r: random.Random) -> Any:
        return r.random() < 0.5

    def read(self, value: Any) -> Any:
        if isinstance(value, np.bool_):
            return UNSURE
        if not isinstance(value, bool):
            raise Refused
        return value


class Real(Kind):
    """Is a real number between bounds, which it may not reach."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def good(self, r: random.Random) -> Any:
        return r.uniform(self.low + 1e-6, min(self.high, 1e6) - 1e-6)

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        near = [self.low, self.high, -0.5, math.nan, math.inf, np.float32(0.5), Fraction(1, 2),
                True, "0.5", [0.5], np.array(0.5), np.array([0.5]), 0.5j]  # fmt: skip
        return r.choice(near) if r.random() < 0.5 else anything(r)

    def read(self, value: Any) -> Any:
        if isinstance(value, decimal.Decimal | np.bool_ | np.timedelta64):
            return UNSURE
        number = isinstance(value, int | float | Fraction | np.integer | np.floating)
        if not number or isinstance(value, bool) or not self.low < value < self.high:
            raise Refused
        return float(value)


class Text(Kind):
    """Is text, of which some is known to be readable and the rest is read by a plain reader."""

    def __init__(self, good: Callable[[random.Random], str], read: Callable[[str], Any]) -> None:
        self._good, self._read = good, read

    def good(self, r: random.Random) -> Any:
        return self._good(r)

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        if r.random() < 0.3:
            return anything(r)
        return garbled(r, self._good(r))

    def read(self, value: Any) -> Any:
        if not isinstance(value, str):
            raise Refused
        return self._read(str(value))


CONFUSABLE = str.maketrans(
    {"A": "А", "K": "К", "T": "Т", "s": "ѕ", "c": "с", "d": "ԁ", "m": "ｍ", "p": "р", "1": "１",
     "2": "٢", "3": "３", "一": "⼀", "黑": "黒", "♠": "♤", "0": "O"}
)  # fmt: skip


def garbled(r: random.Random, text: str) -> str:
    """Change text a little: look-alikes, marks, cuts, doublings, what cannot be seen."""
    at = r.randrange(len(text) + 1)
    strange = r.choice(["\u0301", "\u200b", "\u202e", "\ud800", "\0", "\ufe0f", "\u20e3", "x", "?",
                        "9", "A", " ", "\n", "-", "一", "🀄", "é", "\U0001f0a1"])  # fmt: skip
    ways = [
        lambda: text[:at] + strange + text[at:],
        lambda: text[:at],
        lambda: text[at:],
        lambda: text[:at] + text[at + 1 :],
        lambda: text.translate(CONFUSABLE),
        lambda: text + text,
        lambda: text.upper(),
        lambda: text.lower(),
        lambda: text[::-1],
        lambda: f"{text} {text}",
        lambda: text * 2000,
        lambda: r.choice(TEXTS),
    ]
    return r.choice(ways)()


class Line(Kind):
    """Is text that names something."""

    def __init__(self, *good: str, empty: bool = True) -> None:
        self.words, self.empty = good or ("mine", "自己的", "x" * 200), empty

    def good(self, r: random.Random) -> Any:
        return r.choice(self.words)

    def read(self, value: Any) -> Any:
        if not isinstance(value, str) or not (value or self.empty):
            raise Refused
        return str(value)


class Label(Kind):
    """Is a name of a category or of a form."""

    def __init__(self, kind: Any, *more: str) -> None:
        self.names = {item.label: item for item in kind} | {item.label_zh: item for item in kind}
        self.more = more

    def good(self, r: random.Random) -> Any:
        name = r.choice([*self.names, *self.more])
        return r.choice([name, name.upper(), f" {name}\n", name.replace(" ", "_")])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        return anything(r) if r.random() < 0.5 else r.choice(list(self.names)).replace("r", "г")

    def read(self, value: Any) -> Any:
        if not isinstance(value, str):
            return UNSURE
        plain = value.strip().lower().replace("_", " ")
        if plain in self.more:
            return UNSURE
        return self.names.get(plain, UNSURE)


LANG = Word("en", "zh")
NAME = Line(empty=False)
QUIET = Fixed(False)  # `progress` is any truth; a bar in the log is of no use


# --- Arrays -----------------------------------------------------------------------------------

INTEGERS = [*np.typecodes["AllInteger"], ">i2", ">u4", ">i8"]
OTHER_DTYPES = [
    "e", "f", "d", "g", "F", "D", "?", "O", "S3", "U2", "V4", "M8[s]", "m8[s]", "m8", ">f4",
]  # fmt: skip
BAD_NUMBERS = [
    -1, -2, -128, -129, -256, -255, 5, 34, 52, 53, 63, 64, 127, 128, 136, 254, 255, 256, 257, 300,
    2**15, 2**16, 2**16 + 1, 2**31, 2**32, 2**32 + 1, -(2**31), -(2**63), 2**63 - 1, 2**63,
    2**64 - 1,
]  # fmt: skip


@cache
def folder() -> Path:
    """A folder of this process, which goes with it."""
    made = tempfile.TemporaryDirectory(prefix="fuzz-")
    _KEPT.append(made)
    return Path(made.name)


_KEPT: list[Any] = []


def _memory_map(values: np.ndarray, name: str = "array") -> np.ndarray:
    path = folder() / f"{name}.bin"
    if not values.size:
        return values
    mapped = np.memmap(path, dtype=values.dtype, mode="w+", shape=values.shape)
    mapped[...] = values
    return mapped


def _unaligned(values: np.ndarray) -> np.ndarray:
    packed = np.zeros(values.nbytes + 1, np.uint8)
    packed[1:] = np.frombuffer(values.tobytes(), np.uint8)
    return packed[1:].view(values.dtype).reshape(values.shape)


def _read_only(values: np.ndarray) -> np.ndarray:
    values = values.copy()
    values.flags.writeable = False
    return values


def _inside(values: np.ndarray) -> np.ndarray:
    wide = np.full((*values.shape[:-1], values.shape[-1] + 4), 99, dtype=values.dtype)
    wide[..., 2:-2] = values
    return wide[..., 2:-2]


LAYOUTS: dict[str, Callable[[np.ndarray], Any]] = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "rows doubled": lambda values: np.repeat(values, 2, axis=0)[::2],
    "columns doubled": lambda values: np.repeat(values, 2, axis=-1)[..., ::2],
    "rows reversed": lambda values: values[::-1].copy()[::-1],
    "all reversed": lambda values: np.flip(np.flip(values).copy()),
    "axes swapped": lambda values: values.T.copy().T,
    "inside": _inside,
    "read-only": _read_only,
    "memory map": _memory_map,
    "unaligned": _unaligned,
    "list": lambda values: values.tolist(),
    "list of arrays": list,
    "tuple": lambda values: tuple(values.tolist()),
    "tuple of tuples": lambda values: tuple(
        tuple(row) if isinstance(row, list) else row for row in values.tolist()
    ),
    "array-like": Arraylike,
    "nothing masked": lambda values: np.ma.array(values, mask=False),
    "record view": lambda values: (
        values.view(np.recarray) if values.dtype.names is None else values
    ),
    "matrix": lambda values: values.view(np.matrix) if values.ndim == 2 else values,
    "pandas": lambda values: (
        pandas_of(values.astype(values.dtype.newbyteorder("="))) if values.ndim < 3 else values
    ),
    "buffer": lambda values: (
        memoryview(np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("=")))
        if values.size
        else values
    ),
}


def holding(values: np.ndarray, r: random.Random) -> np.ndarray:
    """Give the values in some integer type that holds them all."""
    plain = values.ravel().tolist()
    low, high = min(plain, default=0), max(plain, default=0)
    fitting = [
        kind for kind in INTEGERS if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max
    ]
    return values.astype(r.choice(fitting)) if fitting else values


class Numbers(Kind):
    """Is an array of integers that a plain reader makes sense of, whatever its type and layout.

    `draw` gives valid values as an int64 array; `read` takes nested lists and their shape, and
    raises Refused if they are none.
    """

    def __init__(
        self,
        draw: Callable[[random.Random], np.ndarray],
        read: Callable[[Any, tuple[int, ...]], Any],
    ) -> None:
        self._draw, self._read = draw, read

    def good(self, r: random.Random) -> Any:
        values = holding(self._draw(r), r)
        layout = r.choice(list(LAYOUTS.values()))
        try:
            return layout(values)
        except (ValueError, TypeError, IndexError):  # a layout that such an array cannot have
            return values

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        values = self._draw(r)
        fault = r.choice(FAULTS)
        try:
            changed = fault(values.copy(), r)
        except (ValueError, TypeError, OverflowError, IndexError):
            return anything(r)
        if isinstance(changed, np.ndarray) and r.random() < 0.5:
            try:
                return LAYOUTS[r.choice(list(LAYOUTS))](changed)
            except Exception:  # whatever a layout has against it
                return changed
        return changed

    def read(self, value: Any) -> Any:
        return self._read(*integers(value))


def integers(value: Any) -> tuple[Any, tuple[int, ...]]:
    """Read an array of integers as nested lists, with its shape."""
    if np.ma.is_masked(value):
        raise Refused
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = np.asarray(value)
    except Exception:
        raise Refused from None
    if found.dtype.kind not in "ui":
        raise Refused
    return found.tolist(), found.shape


def _bad_number(values: np.ndarray, r: random.Random) -> Any:
    wide = values.astype(object)
    at = tuple(r.randrange(length) for length in values.shape)
    here = int(values[at])
    wide[at] = r.choice([*BAD_NUMBERS, here + 256, here - 256, here + 2**32, here + 2**16])
    return holding(wide, r)


def _moved(values: np.ndarray, r: random.Random) -> Any:
    one, other = (tuple(r.randrange(length) for length in values.shape) for _ in range(2))
    many = r.choice([1, 1, 1, 2, 3, 5, 256, -1])
    values[one] += many
    values[other] -= many
    return holding(values, r)


def _twice(values: np.ndarray, r: random.Random) -> Any:
    one, other = (tuple(r.randrange(length) for length in values.shape) for _ in range(2))
    values[one] = values[other]
    return holding(values, r)


def _other_dtype(values: np.ndarray, r: random.Random) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        changed = values.astype(r.choice(OTHER_DTYPES))
        if changed.dtype.kind in "fc" and changed.size and r.random() < 0.4:
            changed.ravel()[0] = r.choice([np.nan, np.inf, 0.5])
    return changed


def _other_shape(values: np.ndarray, r: random.Random) -> Any:
    length = values.shape[-1]
    ways = [
        lambda: values[..., : length - 1],
        lambda: np.concatenate([values, values[..., :1]], axis=-1),
        lambda: np.concatenate([values, values], axis=-1),
        lambda: values[..., :0],
        lambda: values[:0],
        lambda: values.T,
        lambda: values.ravel(),
        lambda: values[np.newaxis],
        lambda: values[np.newaxis, np.newaxis],
        lambda: values[np.newaxis, np.newaxis, np.newaxis],
        lambda: values[..., np.newaxis],
        lambda: values.reshape((1,) * (32 - values.ndim) + values.shape),
        lambda: values[0],
        lambda: np.broadcast_to(values, (2, *values.shape)),
        lambda: np.array(int(values.ravel()[0])),
        lambda: np.empty((0, 0), np.uint8),
        lambda: np.empty((0, 2, length), np.uint8),
        lambda: np.empty((2, 0, length), np.uint8),
        lambda: np.lib.stride_tricks.as_strided(values, strides=(0,) * values.ndim),
    ]
    return r.choice(ways)()


def _list_with(values: np.ndarray, r: random.Random) -> Any:
    nested = values.tolist()
    inner = nested
    while isinstance(inner[0], list):
        inner = inner[r.randrange(len(inner))]
    strange = [None, "As", "3", b"3", 1.0, math.nan, True, [], [1], 2**63, 2**64, 2**200, -1, 1j,
               Fraction(1), Index(), hostile("__array__"), np.array([1, 2]), {},
               object()]  # fmt: skip
    way = r.randrange(3)
    if way == 0:
        inner[r.randrange(len(inner))] = r.choice(strange)
    elif way == 1:
        inner.append(r.choice(strange))
    else:
        inner.pop()
    return nested


def _in_object(values: np.ndarray, r: random.Random) -> Any:
    kinds = [
        lambda: values.astype(object),
        lambda: np.ma.array(values, mask=values == values.ravel()[0]),
        lambda: np.ma.array(values, mask=True),
        lambda: values.astype(bool),
        lambda: iter(values.tolist()),
        lambda: (row for row in values.tolist()),
        lambda: set(values.ravel().tolist()),
        lambda: dict(enumerate(values.tolist())),
        lambda: str(values.tolist()),
        lambda: values.astype(np.uint8).tobytes(),
        lambda: values.tolist().__repr__().encode(),
        lambda: Arraylike(values.astype(float)),
        lambda: pandas_of(values.astype(float)) if values.ndim < 3 else None,
        lambda: pandas_of(values.astype(object)) if values.ndim < 3 else None,
    ]
    return r.choice(kinds)()


FAULTS = [
    _bad_number, _bad_number, _moved, _twice, _other_dtype, _other_shape, _list_with, _in_object,
    lambda values, r: anything(r),
]  # fmt: skip


class Out(Kind):
    """Is None or an array for the answer; what fits depends on the other arguments.

    Read as it is: `filled` says whether it is right.
    """

    def __init__(self, dtype: Any, tail: tuple[int, ...] = (), of: str = "hands") -> None:
        self.dtype, self.tail, self.of = np.dtype(dtype), tail, of

    def good(self, r: random.Random) -> Any:
        return None

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        try:
            hands = np.asarray(others[self.of])
            shape = (*hands.shape[:-1], *self.tail)
        except Exception:
            return anything(r)
        if max(hands.ndim, len(shape)) > 30:
            return anything(r)
        n = math.prod(shape)
        ways = [
            lambda: np.full(shape, 1, self.dtype),
            lambda: np.full(shape, 1, self.dtype, order="F"),
            lambda: np.full((*shape, 2), 1, self.dtype)[..., 0],
            lambda: np.full(shape, 1, self.dtype)[..., ::-1],
            lambda: _unaligned(np.full(shape, 1, self.dtype)),
            lambda: np.ma.array(np.full(shape, 1, self.dtype)),
            lambda: np.full(shape, 1, self.dtype).view(np.matrix),
            lambda: _memory_map(np.full(shape, 1, self.dtype), "out"),
            lambda: _overlapping(others[self.of], n, self.dtype).reshape(shape),
            lambda: _read_only(np.full(shape, 1, self.dtype)),
            lambda: np.full(shape, 1, r.choice([*INTEGERS, *OTHER_DTYPES])),
            lambda: np.full(shape, 1, self.dtype.newbyteorder("S")),
            lambda: np.full((*shape, 1), 1, self.dtype),
            lambda: np.full((1, *shape), 1, self.dtype),
            lambda: np.full(n + 1, 1, self.dtype),
            lambda: np.full(max(n - 1, 0), 1, self.dtype),
            lambda: np.full((), 1, self.dtype),
            lambda: np.broadcast_to(np.full((), 1, self.dtype), shape),
            lambda: np.full(shape, 1, self.dtype).tolist(),
            lambda: anything(r),
        ]
        try:
            return r.choice(ways)()
        except (ValueError, TypeError, AttributeError, IndexError):  # there is no such array
            return None

    def read(self, value: Any) -> Any:
        return value


def _overlapping(given: Any, size: int, dtype: np.dtype) -> np.ndarray:
    if not isinstance(given, np.ndarray) or not given.flags.writeable:
        raise ValueError
    memory = given.reshape(-1).view(np.uint8)
    if not np.shares_memory(memory, given):
        raise ValueError
    return memory[: size * dtype.itemsize].view(dtype)


def filled(answer: Any, out: Any, dtype: Any) -> Any:
    """Give the plain answer where there may be an `out`: refused if it is none for it."""
    if out is None:
        return np.array(answer, dtype=dtype)
    fitting = isinstance(out, np.ndarray) and out.dtype == dtype
    if not fitting or out.shape != np.shape(answer) or not out.flags.writeable:
        raise Refused("out")
    return np.array(answer, dtype=dtype)


# --- What simulators take ---------------------------------------------------------------------


class Seed(Kind):
    """Is what SPEC 7 calls an `rng`. Read as an int where the stream is that of one."""

    always = True

    def good(self, r: random.Random) -> Any:
        seed = r.randint(0, 3)
        return r.choice([seed, np.uint64(seed), np.random.SeedSequence(seed)])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        ways: list[Callable[[], Any]] = [
            lambda: None,
            lambda: 2**200,
            lambda: 10**5000,
            lambda: -1,
            lambda: np.int8(-1),
            lambda: np.random.default_rng(3),
            lambda: np.random.Generator(np.random.Philox(1)),
            lambda: np.random.PCG64(1),
            lambda: np.random.RandomState(1),
            lambda: np.random.SeedSequence(2**100),
            lambda: np.random.SeedSequence([1, 2, 3]),
            lambda: np.random.SeedSequence([]),
            lambda: np.random.SeedSequence(1, pool_size=8),
            lambda: np.random.SeedSequence(1, spawn_key=(1, 2)),
            lambda: np.random,
            lambda: "1",
            lambda: [1],
            lambda: np.array(1),
        ]
        return r.choice(ways)() if r.random() < 0.6 else anything(r)

    def read(self, value: Any) -> Any:
        if isinstance(value, np.random.SeedSequence):
            plain = type(value.entropy) is int and not value.spawn_key and value.pool_size == 4
            return value.entropy if plain else UNSURE
        if value is None or isinstance(value, np.random.Generator):
            return UNSURE
        if not is_whole(value) or value < 0:
            raise Refused
        return int(value)


def loses_a_call(function: Callable[..., Any], calls: Any) -> list[Any]:
    return [function(call) for call in list(calls)[1:]]


def doubles_a_call(function: Callable[..., Any], calls: Any) -> list[Any]:
    calls = list(calls)
    return [function(call) for call in [*calls, *calls[:1]]]


def swaps_a_call(function: Callable[..., Any], calls: Any) -> list[Any]:
    """One is lost and another given twice: as many as there were, but where there was one only."""
    calls = list(calls)
    return [function(call) for call in [*calls[:-1], *calls[: len(calls) > 1]]]


def backwards(function: Callable[..., Any], calls: Any) -> list[Any]:
    return [function(call) for call in reversed(list(calls))]


class Workers(Kind):
    """Is a number of threads, or anything that is called like `map`."""

    right = (map, backwards)
    losing = (loses_a_call, doubles_a_call, swaps_a_call)

    def good(self, r: random.Random) -> Any:
        return r.choice([1, 1, 2, np.int64(1), *self.right])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        ways = [0, -1, True, 1.0, 1.5, "2", None, [map], np.array(1), math.inf, *self.losing]
        value = r.choice(ways) if r.random() < 0.6 else anything(r)
        # Other callables, and pools of threads without end, have tests of their own.
        if callable(value) and value not in (*self.right, *self.losing):
            return 0
        return -3 if is_whole(value) and value > 4 else value

    def read(self, value: Any) -> Any:
        if callable(value) and value in self.right:
            return 1
        if callable(value) and value in self.losing:
            return value
        if isinstance(value, Index):
            return UNSURE
        if not is_whole(value) or value < 1:
            raise Refused
        return 1


class Checkpoint(Kind):
    """Is None or a path for a file of our own."""

    def good(self, r: random.Random) -> Any:
        return None

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        fresh = folder() / f"{r.getrandbits(64):x}.json"
        garbage = folder() / "garbage.json"
        garbage.write_bytes(r.choice([b"", b"{}", b"[]", b"null", b"\xff\xfe", b"[" * 10**4]))
        ways: list[Callable[[], Any]] = [
            lambda: fresh,
            lambda: str(fresh),
            lambda: folder(),
            lambda: folder() / "no" / "folder",
            lambda: garbage,
            lambda: "",
            lambda: "a\0b",
            lambda: str(fresh).encode(),
            lambda: "x" * 5000,
            lambda: "/proc/none/x",
            lambda: 3,
            lambda: [str(fresh)],
        ]
        value = r.choice(ways)() if r.random() < 0.7 else anything(r)
        # A name that could be made here would litter the folder of the tests.
        inside = isinstance(value, str | Path) and len(str(value)) < 4000 and "\0" not in str(value)
        if inside and not str(value).startswith("/") and value != "":
            return fresh
        return value

    def read(self, value: Any) -> Any:
        if value is None:
            return None
        if not isinstance(value, str | Path):
            raise Refused
        path = str(value)
        if Path(path).parent == folder() and path.endswith(".json") and "garbage" not in path:
            return None
        raise Refused


def refuse_losses(workers: Any, work: int) -> None:
    if callable(workers) and work:
        raise Refused("workers")


def simulation(**kinds: Kind) -> dict[str, Kind]:
    """What all simulators take besides."""
    return {
        "games": Whole(0, cap=400),
        **kinds,
        "rng": Seed(),
        "workers": Workers(),
        "progress": QUIET,
        "checkpoint": Checkpoint(),
    }


# --- Arrays as hypothesis thinks them up ------------------------------------------------------


def any_arrays(*shapes: tuple[Any, ...], numbers: tuple[int, int]) -> Any:
    """Arrays of any integer type, of these shapes and others, most of their numbers in a range.

    They lie in any way that strides can say, and what hypothesis finds wrong it makes small.
    """
    from hypothesis import strategies as st
    from hypothesis.extra import numpy as arrays

    low, high = numbers
    some = arrays.arrays(
        dtype=arrays.integer_dtypes() | arrays.unsigned_integer_dtypes() | st.just(np.dtype("u1")),
        shape=st.one_of(*(st.tuples(*shape) for shape in shapes)),
        elements=st.integers(low, high) | st.sampled_from([low, high, high + 1]),
        fill=st.nothing(),
    )
    layouts = ("C", "F", "rows doubled", "columns doubled", "all reversed", "inside", "read-only")
    return st.builds(_laid_out, some, st.sampled_from(layouts))


def _laid_out(values: np.ndarray, layout: str) -> Any:
    return LAYOUTS[layout](values) if values.size else values
