"""Checked conversion of what people pass to results: labels, counts, shares, arrays.

Every message names the argument, the row and the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from numbers import Integral
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Rules = TypeVar("_Rules")


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
        if not isinstance(getattr(result, name), str):
            raise TypeError(f"{name}: expected text, got {getattr(result, name)!r}")
    labels = _checked_labels("labels", result.labels)
    labels_zh = one_a_row("labels_zh", _checked_labels("labels_zh", result.labels_zh), labels)
    for row, label in enumerate(labels_zh):
        if label in labels and labels.index(label) != row:
            raise ValueError(f"labels_zh: {label!r} of row {row} is the English label of another")
    set_field(result, "labels", labels)
    set_field(result, "labels_zh", labels_zh)


def one_a_row(argument: str, values: Iterable[Any], labels: tuple[str, ...]) -> tuple[Any, ...]:
    """Take one value a row, arrays turned into Python numbers."""
    row = tuple(values.tolist() if isinstance(values, np.ndarray) else values)
    if len(row) != len(labels):
        raise ValueError(f"{argument}: expected {len(labels)} values, one a row, got {len(row)}")
    return row


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
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{argument}: {place}expected an integer, got {value!r}")
    number = int(value)
    if number < least:
        fault = "is negative" if least == 0 else f"is less than {least}"
        raise ValueError(f"{argument}: {place}{value} {fault}")
    if most is not None and number > most:
        raise ValueError(f"{argument}: {place}{value} is more than {most}; {beyond}")
    return number


def check_choice(argument: str, value: object, allowed: Sequence[str | None]) -> None:
    """Refuse what is none of the allowed words, and None unless it is one of them.

    Raises
    ------
    ValueError
        The message names `argument` and the words.
    """
    if not (value is None or isinstance(value, str)) or value not in allowed:
        raise ValueError(f"{argument}: {value!r} is none of {', '.join(map(repr, allowed))}")


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
    raise TypeError(f"{argument}: expected {game}.Rules, got {rules!r}{hint}")


def fractions(
    argument: str, values: Iterable[Any], labels: tuple[str, ...]
) -> tuple[Fraction, ...]:
    """Take one Fraction or int a row; a float would have been rounded already."""
    row = one_a_row(argument, values, labels)
    for label, value in zip(labels, row, strict=True):
        if not isinstance(value, Fraction | int):
            raise TypeError(f"{argument}: row {label!r}: expected a Fraction, got {value!r}")
    return tuple(map(Fraction, row))


def _checked_labels(argument: str, labels: Iterable[str]) -> tuple[str, ...]:
    """Take labels that name each row once, on one line."""
    if isinstance(labels, str):
        raise TypeError(f"{argument}: expected one label a row, got the single text {labels!r}")
    names = tuple(labels)
    for label in names:
        if not isinstance(label, str):
            raise TypeError(f"{argument}: expected text, got {label!r}")
        if not (label.strip() and label.isprintable()):
            raise ValueError(f"{argument}: {label!r} is not a line of text")
        if names.count(label) > 1:
            raise ValueError(f"{argument}: {label!r} names two rows")
    if not names:
        raise ValueError(f"{argument}: there is no row")
    return names
