"""Files that cannot be read or written: errors that say which, and which argument named it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


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
