"""Files that cannot be read or written: errors that say which, and which argument named it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cardstats._checks import shown


def as_path(argument: str, path: str | os.PathLike[str]) -> Path:
    """Take a path, whether or not there is anything.

    Raises
    ------
    TypeError, ValueError
        If it is none, or no system could have such a one; the message names `argument`.
    """
    try:
        found = Path(path)
        os.fsencode(found)
    except UnicodeEncodeError:
        raise ValueError(f"{argument}: {shown(path)} holds what no path can") from None
    except Exception:  # whatever an object raises that is asked for its path
        raise TypeError(f"{argument}: {shown(path)} is no path") from None
    if "\0" in str(found):
        raise ValueError(f"{argument}: {shown(path)} holds a null character")
    return found


@contextmanager
def naming(argument: str, path: str | os.PathLike[str]) -> Iterator[None]:
    """Name them in errors of the file system: those of a full disk name nothing."""
    try:
        yield
    except OSError as error:
        reason = f"{argument}: {error.strerror or error}"
        if error.errno is None:
            raise OSError(f"{reason}: {str(path)!r}") from None
        raise OSError(error.errno, reason, str(path)) from None
