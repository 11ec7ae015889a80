"""Checked conversion of what people pass to results: labels, counts, shares, arrays.

Every message names the argument, the row and the value.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, TypeGuard, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Rules = TypeVar("_Rules")

MOST_CHARACTERS = 5_000  # of text that names cards or tiles: more than any hand takes
_SHOWN = 100  # characters of a value in a message


def set_field(result: object, name: str, value: object) -> None:
    """Give a field of a frozen dataclass its checked value."""
    object.__setattr__(result, name, value)


def read_only(values: ArrayLike, dtype: type[np.generic]) -> NDArray[Any]:
    """Copy values into an array that nobody can change."""
    array = np.array(values, dtype=dtype)
    array.setflags(write=False)
    return array


def set_labels(result: Any) -> None:
    """Check both languages' titles and labels of a result: no label may name two rows."""
    for name in ("title", "title_zh"):
        check_text(name, getattr(result, name))
    labels = _checked_labels("labels", result.labels)
    labels_zh = one_a_row("labels_zh", _checked_labels("labels_zh", result.labels_zh), labels)
    rows = {label: row for row, label in enumerate(labels)}
    for row, label in enumerate(labels_zh):
        if rows.get(label, row) != row:
            raise ValueError(f"labels_zh: {label!r} of row {row} is the English label of another")
    set_field(result, "labels", labels)
    set_field(result, "labels_zh", labels_zh)


def one_a_row(argument: str, values: Iterable[Any], labels: tuple[str, ...]) -> tuple[Any, ...]:
    """Take one value a row, arrays turned into Python numbers."""
    row = items(argument, values.tolist() if isinstance(values, np.ndarray) else values)
    if len(row) != len(labels):
        raise ValueError(f"{argument}: expected {len(labels)} values, one a row, got {len(row)}")
    return row


def shown(value: object) -> str:
    r"""Write a value into a message: on one line, and not at length, whatever it is.

    Examples
    --------
    >>> print(shown("two\nlines"), shown(10**5000), len(shown("As" * 10**6)))
    'two\nlines' <int that cannot be shown> 100
    """
    try:
        text = repr(value)
        if len(text) > 8 * _SHOWN:  # a million words take long to part
            text = text[: 4 * _SHOWN] + text[-4 * _SHOWN :]
        text = " ".join(text.split())
    except Exception:  # an int of thousands of digits, or what its class has in mind
        return f"<{type(value).__name__} that cannot be shown>"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 21]}…{text[-20:]}"


def items(argument: str, values: Iterable[Any]) -> tuple[Any, ...]:
    """Take several things one by one.

    Raises
    ------
    TypeError
        If it is a single one; the message names `argument`.
    """
    try:
        return tuple(values)
    except Exception:  # whatever an object raises that is asked for its items
        raise TypeError(f"{argument}: expected several, got {shown(values)}") from None


def check_text(argument: str, value: object) -> None:
    """Refuse what is no text.

    Raises
    ------
    TypeError
        The message names `argument`.
    """
    if not isinstance(value, str):
        raise TypeError(f"{argument}: expected text, got {shown(value)}")


def check_short(argument: str, text: str) -> None:
    """Refuse text that is too long to name cards or tiles.

    Before it is read: the time that normalising Unicode takes grows with the square of the length.

    Raises
    ------
    ValueError
        The message names `argument`.
    """
    if len(text) > MOST_CHARACTERS:
        raise ValueError(
            f"{argument}: {len(text):,} characters are more than {MOST_CHARACTERS:,}: {shown(text)}"
        )


def int64_row(argument: str, values: Iterable[Any], labels: tuple[str, ...]) -> NDArray[np.int64]:
    """Take one count a row, as a read-only array whose sum fits it."""
    counts = whole_numbers(argument, values, labels)
    if sum(counts) > np.iinfo(np.int64).max:
        raise ValueError(f"{argument}: their sum {shown(sum(counts))} does not fit 64 bits")
    return read_only(counts, np.int64)


def is_whole(value: object) -> TypeGuard[Integral]:
    """Tell an integer of any type; booleans are none, nor is what NumPy makes of a timedelta."""
    return isinstance(value, Integral) and not isinstance(value, bool | np.timedelta64)


def real(argument: str, value: object) -> float:
    """Take a real number, as a float.

    Raises
    ------
    TypeError, ValueError
        If it is none, or too large for a float; the message names `argument`.
    """
    if isinstance(value, bool | np.timedelta64) or not isinstance(value, Real):
        raise TypeError(f"{argument}: expected a number, got {shown(value)}")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{argument}: {shown(value)} is too large") from None


def float_row(argument: str, values: ArrayLike, labels: tuple[str, ...]) -> NDArray[np.float64]:
    """Take one number a row, as a read-only array; NaN and infinite ones too."""
    array = as_array(values, argument, "numbers")
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{argument}: expected an array of numbers, got dtype {array.dtype}")
    if array.shape != (len(labels),):
        raise ValueError(
            f"{argument}: expected {len(labels)} values, one a row, got shape {array.shape}"
        )
    return read_only(array, np.float64)


def as_array(values: ArrayLike, argument: str, of: str) -> NDArray[Any]:
    """Take an array as it came, of whatever it holds.

    Raises
    ------
    TypeError, ValueError
        If it cannot be read as one, or hides some of its values; the message names `argument` and
        what it is to be an array `of`.
    """
    if np.ma.is_masked(values):
        raise ValueError(f"{argument}: holds masked values")
    try:
        return np.asarray(values)
    except MemoryError:
        raise
    except ValueError:
        raise ValueError(f"{argument}: expected an array of {of}, got uneven rows") from None
    except Exception as error:  # whatever an object raises that is asked for its values
        raise TypeError(f"{argument}: expected an array of {of}, got {shown(error)}") from error


def exact_fraction(text: str) -> Fraction:
    """Read a number or a ratio from text: ``3/2``, ``3:2``, ``0.1``.

    Raises
    ------
    ValueError, ZeroDivisionError
        If it is none, or is written with an exponent of four digits: 1e9999999 alone would take a
        minute.

    Examples
    --------
    >>> exact_fraction("3:2"), exact_fraction("0.1")
    (Fraction(3, 2), Fraction(1, 10))
    """
    if re.search(r"e[+-]?[\d_]{4}", text, re.IGNORECASE):
        raise ValueError("exponent too large")
    return Fraction(text.replace(":", "/"))


def whole_numbers(argument: str, values: Iterable[Any], labels: tuple[str, ...]) -> tuple[int, ...]:
    """Take one count a row, as Python ints of any size."""
    row = zip(labels, one_a_row(argument, values, labels), strict=True)
    return tuple(whole(value, argument, place=f"row {label!r}: ") for label, value in row)


def whole(
    value: object,
    argument: str,
    least: int = 0,
    most: int | None = None,
    beyond: str = "",
    place: str = "",
) -> int:
    """Take a whole number of something.

    Parameters
    ----------
    value : object
        Of any integer type, but no boolean.
    argument, place : str
        What to name in a message: the argument, and where in it the value stood.
    least, most : int
        Bounds.
    beyond : str
        What is to be said of more than `most`.

    Raises
    ------
    TypeError
        If it is no integer.
    ValueError
        If it is out of bounds.
    """
    if not is_whole(value):
        raise TypeError(f"{argument}: {place}expected an integer, got {shown(value)}")
    number = int(value)
    if number < least:
        fault = "is negative" if least == 0 else f"is less than {least}"
        raise ValueError(f"{argument}: {place}{shown(number)} {fault}")
    if most is not None and number > most:
        raise ValueError(f"{argument}: {place}{shown(number)} is more than {most}; {beyond}")
    return number


def check_choice(argument: str, value: object, allowed: Sequence[str | None]) -> None:
    """Refuse what is none of the allowed words, and None unless it is one of them.

    Raises
    ------
    ValueError
        The message names `argument` and the words.
    """
    if not (value is None or isinstance(value, str)) or value not in allowed:
        raise ValueError(f"{argument}: {shown(value)} is none of {', '.join(map(repr, allowed))}")


def known_rules(rules: object, argument: str, known: Mapping[str, _Rules]) -> _Rules:
    """Take rules of a game, and nothing that only looks like them; `known` are its named ones.

    Raises
    ------
    TypeError
        If they are not of the kind of those in `known`.
    """
    kind = type(next(iter(known.values())))
    if isinstance(rules, kind):
        return rules
    hint = f"; RULES[{rules!r}] is one" if isinstance(rules, str) and rules in known else ""
    game = kind.__module__.split(".")[-2]
    raise TypeError(f"{argument}: expected {game}.Rules, got {shown(rules)}{hint}")


def fractions(
    argument: str, values: Iterable[Any], labels: tuple[str, ...]
) -> tuple[Fraction, ...]:
    """Take one Fraction or int a row; a float would have been rounded already."""
    row = one_a_row(argument, values, labels)
    for label, value in zip(labels, row, strict=True):
        if not isinstance(value, Fraction | int):
            raise TypeError(
                f"{argument}: row {shown(label)}: expected a Fraction, got {shown(value)}"
            )
    return tuple(map(Fraction, row))


def _checked_labels(argument: str, labels: Iterable[str]) -> tuple[str, ...]:
    """Take labels that name each row once, on one line."""
    if isinstance(labels, str):
        raise TypeError(
            f"{argument}: expected one label a row, got the single text {shown(labels)}"
        )
    names = items(argument, labels)
    for label in names:
        check_text(argument, label)
    for label in names:
        if not (label.strip() and label.isprintable()):
            raise ValueError(f"{argument}: {shown(label)} is not a line of text")
    if not names:
        raise ValueError(f"{argument}: there is no row")
    label, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise ValueError(f"{argument}: {shown(label)} names two rows")
    return names
