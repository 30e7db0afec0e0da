"""Values of parameters as the protocol carries them: JSON, and what JSON has no word for."""

from __future__ import annotations

import datetime
import math
import os
from collections.abc import Iterable, Mapping

from ._errors import ArgumentError

_EXACT = 2**53


def encode_params(params: Mapping[str, object]) -> dict[str, object]:
    return {str(name): encode_value(value, str(name)) for name, value in params.items()}


def encode_value(value: object, name: str) -> object:
    kind = _numpy_kind(value)
    # numpy gives moments and spans of nanoseconds as integers, which a column takes for ticks of its own unit.
    if kind == "m":
        raise _refused(value, name)
    if kind == "M":
        return [encode_value(each, name) for each in value] if isinstance(value, Iterable) else str(value)
    # numpy's scalars, and those of pyarrow.
    for method in ("as_py", "item"):
        if hasattr(value, method) and not hasattr(value, "__len__"):
            value = getattr(value, method)()
            break
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) < _EXACT else {"int": str(value)}
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat()
    if isinstance(value, (list, tuple, set, frozenset)) or hasattr(value, "tolist"):
        items = value.tolist() if hasattr(value, "tolist") else value
        if isinstance(items, (list, tuple, set, frozenset)):
            return [encode_value(each, name) for each in items]
    raise _refused(value, name)


def _numpy_kind(value: object) -> str | None:
    """'M' of moments and 'm' of spans, of scalars, arrays and series."""
    return getattr(getattr(value, "dtype", None), "kind", None)


def _refused(value: object, name: str) -> ArgumentError:
    is_span = isinstance(value, datetime.timedelta) or _numpy_kind(value) == "m"
    remedy = " (a condition of pyarrow compares spans of time)" if is_span else ""
    return ArgumentError(
        "ERR_ARGUMENT",
        f"params: {name}: expected a text, a number, a moment or a list of such but found "
        f"{type(value).__name__}{remedy}",
    )


def _float(value: float) -> object:
    if math.isnan(value):
        return {"float": "nan"}
    if math.isinf(value):
        return {"float": "inf" if value > 0 else "-inf"}
    if value == 0 and math.copysign(1, value) < 0:
        return {"float": "-0"}
    return value


def absolute(source: object) -> object:
    """Paths as they are from here: the server, and workers, may stand elsewhere. URLs stay."""
    if isinstance(source, (list, tuple)):
        return [absolute(each) for each in source]
    if not isinstance(source, (str, os.PathLike)):
        raise ArgumentError("ERR_ARGUMENT", f"source: expected a path, a URL or a list but found {source!r}")
    path = os.fspath(source)
    if not isinstance(path, str):
        raise ArgumentError("ERR_ARGUMENT", "source: expected a path as text but found bytes")
    return path if "://" in path else os.path.abspath(path)
