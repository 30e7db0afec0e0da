"""What goes wrong, by the classes and codes of the npm packages: the class says what a caller can do, `code` why."""

from __future__ import annotations


class ColkitError(Exception):
    """Base of all. `code` is the exact reason (ERR_CRC, ERR_FILE_CHANGED, ...); texts are no contract."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    # Engines carry errors between processes.
    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return (type(self), (self.code, self.message))


class CorruptFileError(ColkitError):
    """The file is damaged."""


class UnsupportedError(ColkitError):
    """The file needs something that this version cannot do."""


class LimitError(ColkitError):
    """More than is allowed."""


class ArgumentError(ColkitError, ValueError):
    """An argument is wrong."""


class OutOfRangeError(ColkitError, IndexError):
    """No such row."""


class UnknownColumnError(ColkitError, LookupError):
    """No such column."""


class QueryError(ColkitError, ValueError):
    """A predicate is wrong."""


class CannotViewError(ColkitError):
    """What was asked for cannot be had without a copy."""


class ClosedError(ColkitError):
    """It is closed."""


class IoError(ColkitError):
    """Reading failed; ERR_FILE_CHANGED: the file is another one by now."""


class BridgeError(ColkitError):
    """
    The process of Node: ERR_NODE_NOT_FOUND and ERR_PACKAGE_NOT_FOUND say how to tell where they are, ERR_BRIDGE_START
    that it did not start, ERR_BRIDGE_LOST that it ended; what is asked next starts another one.
    """


_KINDS = {
    each.__name__: each
    for each in (
        CorruptFileError,
        UnsupportedError,
        LimitError,
        ArgumentError,
        OutOfRangeError,
        UnknownColumnError,
        QueryError,
        CannotViewError,
        ClosedError,
        IoError,
    )
}


def error_of(told: object) -> ColkitError:
    """What the server told of a failure, as an error of ours."""
    described = told if isinstance(told, dict) else {}
    kind = _KINDS.get(str(described.get("kind")), ColkitError)
    return kind(str(described.get("code", "ERR_INTERNAL")), str(described.get("message", told)))
