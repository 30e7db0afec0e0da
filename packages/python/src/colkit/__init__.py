"""
Tables of `.cna`, `.cstore` and `.syr` files as Arrow, pandas and Polars; `colkit.duckdb`, `colkit.dask`, `colkit.ray`
and `colkit.spark` hand them to engines. Values come from one process of Node for each process of Python.
"""

from ._errors import (
    ArgumentError,
    BridgeError,
    CannotViewError,
    ClosedError,
    ColkitError,
    CorruptFileError,
    IoError,
    LimitError,
    OutOfRangeError,
    QueryError,
    UnknownColumnError,
    UnsupportedError,
)
from ._table import Field, Split, Table, open  # noqa: A004

__version__ = "0.1.0"

__all__ = [
    "ArgumentError",
    "BridgeError",
    "CannotViewError",
    "ClosedError",
    "ColkitError",
    "CorruptFileError",
    "Field",
    "IoError",
    "LimitError",
    "OutOfRangeError",
    "QueryError",
    "Split",
    "Table",
    "UnknownColumnError",
    "UnsupportedError",
    "open",
]
