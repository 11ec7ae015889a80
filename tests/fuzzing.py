"""Bad input by the thousand: how calls are made, and who judges how they end.

A `Target` says of each argument of a public function what it may be (`Kind`), and what the plain
answer is. A case is a valid call in which one argument, or two, have become something else, all
drawn from the target's name and a number: `again("three_card.classify", 17)` makes the same call.

A call ends well in one of two ways. It gives the plain answer; or it raises a ValueError or a
TypeError (an OSError for a path) whose message begins with the name of an argument that is wrong.
It never warns, never changes what it was given, and refuses within a tenth of a second.
"""

from __future__ import annotations

import array
import inspect
import math
import os
import random
import re
import signal
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from unittest import mock

import numpy as np
from fuzz_kinds import ANY, UNSURE, Answer, Fixed, Kind, Refused, Workers, is_whole

from cardstats import _engine

SECONDS = 0.1  # for a refusal, of a processor; none where kernels check bounds, which is slow
ON_THE_CLOCK = not os.environ.get("NUMBA_BOUNDSCHECK")
HANDS_A_CHUNK = 800
ENDLESS = 10**12  # games that nobody waits for
PATIENCE = 5.0  # seconds, with what plays them all the same


class Wrong(AssertionError):  # noqa: N818  # a verdict
    """What the judge finds."""


@dataclass(frozen=True)
class Target:
    """A public callable: how it is called, and what the plain answer is.

    Parameters
    ----------
    function : callable
    kinds : dict
        Of each argument. Those without a default are given in every call.
    answer : callable
        Takes the plain value of every argument by name; gives the answer, an `Answer`, or ANY, or
        raises Refused.
    tries : int
        How many calls are made.
    names : tuple of str
        What messages may blame besides arguments.
    files : bool
        Whether an OSError is a way to refuse.
    games : str
        The argument that says how long it takes: a refusal does not wait for it.
    cross : tuple of str
        Arguments that may be wrong only in view of others, which may be wrong too.
    """

    function: Callable[..., Any]
    kinds: Mapping[str, Kind]
    answer: Callable[..., Any] = lambda **_: ANY
    tries: int = 200
    names: tuple[str, ...] = ()
    files: bool = False
    games: str = ""
    cross: tuple[str, ...] = ("out",)
    counts: Counter[str] = field(default_factory=Counter, compare=False)

    @property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        return inspect.signature(self.function).parameters

    def case(self, name: str, number: int) -> dict[str, Any]:
        """Make a call's arguments: the same for the same name and number."""
        r = random.Random(f"{name} {number}")
        needed = [
            argument
            for argument, parameter in self.parameters.items()
            if parameter.default is parameter.empty and argument in self.kinds
        ]
        needed += [argument for argument, kind in self.kinds.items() if kind.always]
        needed.append(self.games)  # a default may take long
        given = [name for name in self.kinds if name in needed or r.random() < 0.4]
        arguments = {name: self.kinds[name].good(r) for name in given}
        loose = [name for name, kind in self.kinds.items() if not isinstance(kind, Fixed)]
        changes = min(len(loose), r.choices((0, 1, 2), (20, 60, 20))[0])
        for name in sorted(r.sample(loose, changes), key=list(self.kinds).index):
            arguments[name] = self.kinds[name].odd(r, arguments)
        return arguments

    def expect(self, arguments: Mapping[str, Any]) -> tuple[Any, set[str]]:
        """Give the plain answer, or Refused, or UNSURE; and which arguments may be blamed."""
        plain, bad, unsure = {}, set(), set()
        for name, kind in self.kinds.items():
            default = self.parameters[name].default
            value = arguments.get(name, default)
            if name not in arguments:
                plain[name] = _default(kind, default)
                continue
            try:
                plain[name] = kind.read(value)
            except Refused as refused:
                bad |= refused.names or {name}
            else:
                if plain[name] is UNSURE:
                    unsure.add(name)
        if bad:
            return Refused, bad | unsure | set(self.cross)
        if unsure:
            return UNSURE, set(self.kinds)
        try:
            return self.answer(**plain), set()
        except Refused as refused:
            return Refused, refused.names | set(self.cross)


def _default(kind: Kind, default: Any) -> Any:
    try:
        return kind.read(default)
    except Refused:
        return default


# A few games are several chunks then, which workers can lose.
@mock.patch.object(_engine, "HANDS_A_CHUNK", HANDS_A_CHUNK)
def judge(target: Target, make: Callable[[], dict[str, Any]]) -> str:
    """Make a call and judge how it ends: "answered" or "refused".

    `make` makes the arguments, the same each time: some are used up in a call.

    Raises
    ------
    Wrong
        With what is wrong about it.
    """
    wanted, blamed = target.expect(make())
    arguments = make()
    if blamed and any(arguments.get("workers") is losing for losing in Workers.losing):
        blamed = {*blamed, "workers"}  # whichever fault is met first
    before = {key: _snapshot(value) for key, value in arguments.items()}
    start = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            answer = target.function(**arguments)
    except Exception as error:
        seconds = time.process_time() - start
        named = _judge_error(target, error, wanted, blamed)
        # A kernel that meets no hand may have filled a part of `out` already.
        _judge_changes(arguments, before, keep=() if "out" in named else ("out",))
        if seconds > SECONDS and ON_THE_CLOCK:
            _judge_time(target, make)
        if target.games and target.games not in named:
            _judge_endless(target, make, error)
        return "refused"
    if wanted is Refused:
        raise Wrong(f"answered {short(answer)}, though {sorted(blamed)} must be refused")
    out = arguments.get("out")
    _judge_changes(arguments, before, keep=tuple(_written(arguments, out)))
    if isinstance(out, np.ndarray) and answer is not out:
        raise Wrong("out: was not what came back")
    if wanted is not UNSURE and not same(answer, wanted):
        said = wanted.holds if isinstance(wanted, Answer) else wanted
        raise Wrong(f"answered {short(answer)}, not {short(said)}")
    return "answered"


_PYTHONS_OWN = re.compile(r"\w+\(\) (got an unexpected keyword|missing \d+ required|takes )")


def _written(arguments: Mapping[str, Any], out: Any) -> Iterator[str]:
    """Name what an answer may change: `out`, and what lies in the same memory."""
    for key, value in arguments.items():
        arrays = isinstance(out, np.ndarray) and isinstance(value, np.ndarray)
        if arrays and np.may_share_memory(out, value):
            yield key


def _judge_error(target: Target, error: Exception, wanted: Any, blamed: set[str]) -> set[str]:
    """Judge what was raised; give the arguments that it names."""
    kinds = (ValueError, TypeError, OSError) if target.files else (ValueError, TypeError)
    if not isinstance(error, kinds) or isinstance(error, UnicodeError):
        raise Wrong(f"raised {type(error).__name__}: {short(str(error))}") from error
    message = str(error)
    if not message.isprintable() or "\n" in message:
        raise Wrong(f"is no line to print: {short(message)}") from error
    found = re.match(
        r"(?:\[Errno \d+\] )?(\w+(?:, \w+)*)(\[.*\])?(?:: | .{1,120}is none of )", message
    )
    if found is None:
        raise Wrong(f"names no argument: {type(error).__name__}: {short(message)}") from error
    named = set(found[1].split(", "))
    known = {*target.parameters, *target.names}
    if not named <= known:
        raise Wrong(f"names no argument: {short(message)}") from error
    if wanted is not Refused and wanted is not UNSURE:
        raise Wrong(f"refused {short(message)}, though the answer is {short(wanted)}") from error
    if blamed and not named & {*blamed, *target.names}:
        raise Wrong(f"blames {named} for {sorted(blamed)}: {short(message)}") from error
    return named


def _judge_time(target: Target, make: Callable[[], dict[str, Any]]) -> None:
    """A refusal was slow; was that the machine, or compilation? The best of three tells."""
    best = math.inf
    for _ in range(3):
        arguments = make()
        start = time.process_time()
        try:
            target.function(**arguments)
        except Exception:
            best = min(best, time.process_time() - start)
    if best > SECONDS:
        raise Wrong(f"took {best:.2f} s to refuse")


def _judge_endless(target: Target, make: Callable[[], dict[str, Any]], error: Exception) -> None:
    """What is refused for few games is refused for any number, before any game."""
    arguments = make()
    games = arguments.get(target.games)
    work = {*Workers.losing, *Workers.right}
    workers = arguments.get("workers")
    if not is_whole(games) or games < 0 or (callable(workers) and workers in work):
        return
    start = time.process_time()
    try:
        with _alarm(PATIENCE):
            target.function(**{**arguments, target.games: ENDLESS})
    except type(error) as again:
        if time.process_time() - start > SECONDS and ON_THE_CLOCK:
            _judge_time(target, make)
        if str(again).split(":")[0] != str(error).split(":")[0]:
            raise Wrong(f"with {ENDLESS} games it says {short(str(again))}") from again


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Stop what should have been refused."""

    def ring(*_: object) -> None:
        raise Wrong(f"plays {ENDLESS} games, though it refuses few")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _judge_changes(
    arguments: Mapping[str, Any], before: Mapping[str, Any], keep: tuple[str, ...] = ()
) -> None:
    for key, value in arguments.items():
        if key not in keep and _snapshot(value) != before[key]:
            raise Wrong(f"{key}: was changed")


def _snapshot(value: Any) -> Any:
    """Tell later whether a value has changed; None for what cannot be told."""
    if isinstance(value, np.ndarray):
        shape = (value.shape, value.dtype, value.strides, value.flags.writeable)
        return shape, None if value.dtype.hasobject else value.view(np.ndarray).tobytes()
    if isinstance(value, list | dict | set | bytearray | array.array):
        try:
            return repr(value)
        except Exception:
            return None
    return None


def same(answer: Any, wanted: Any) -> bool:
    """Compare an answer with the plain one."""
    if wanted is ANY:
        return True
    if isinstance(wanted, Answer):
        return bool(wanted.holds(answer))
    if isinstance(wanted, np.ndarray):
        if wanted.ndim and type(answer) is not np.ndarray and not isinstance(answer, np.ndarray):
            return False
        found = np.asarray(answer)
        alike = found.dtype == wanted.dtype and found.shape == wanted.shape
        return alike and found.tolist() == wanted.tolist()
    return type(answer) is type(wanted) and bool(answer == wanted)


def short(value: Any) -> str:
    """Say in a few words what something is, whatever it is."""
    try:
        said = repr(value)
    except Exception:
        said = f"<a {type(value).__name__} that cannot be shown>"
    return said if len(said) < 160 else f"{said[:100]}…{said[-40:]} ({len(said)} characters)"


def again(name: str, number: int) -> str:
    """Make one call again: what a failing test asks for."""
    from fuzz_targets import TARGETS

    target = TARGETS[name]
    print(f"{name}(")
    for argument, value in target.case(name, number).items():
        said = f"{type(value).__name__} {short(value)}"
        if isinstance(value, np.ndarray):
            said = f"array of {value.dtype}, {value.shape}, strides {value.strides}: {short(value)}"
        print(f"    {argument} = {said}")
    print(")")
    return judge(target, partial(target.case, name, number))


def faults(target: Target, name: str, numbers: range | None = None) -> Iterator[str]:
    """Judge the calls of a target, counting how they end; give what is wrong, call by call."""
    for number in range(target.tries) if numbers is None else numbers:
        try:
            target.counts[judge(target, partial(target.case, name, number))] += 1
        except Wrong as wrong:
            target.counts["wrong"] += 1
            said = {key: short(v) for key, v in target.case(name, number).items()}
            yield f"again({name!r}, {number}): {wrong}; called with {said}"


def fuzz(name: str, target: Target, record: Callable[[str, object], None]) -> None:
    """Make all calls of a target, and fail with what to call to see the first wrong ones again."""
    target.counts.clear()
    found = list(faults(target, name))
    record("inputs", target.tries)
    record("ended", dict(target.counts))
    print(f"{name}: {target.tries:,} inputs, {dict(target.counts)}")
    several = "\n".join(found[:5])
    assert not found, f"{len(found)} of {target.tries} calls end badly\n{several}"
    assert sum(target.counts.values()) == target.tries
