"""
Tables in Dask: a partition for each split. Dask hands columns over, and no conditions: say `where` here, where
statistics pass over what cannot match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dask.dataframe as dd
import pandas as pd
import pyarrow as pa

from ._table import Predicate, Split, Table, open as open_table


def read(
    source: object,
    *,
    columns: Sequence[str] | None = None,
    where: Predicate | None = None,
    params: Mapping[str, object] | None = None,
    target_bytes: int | None = None,
    dtype_backend: str | None = "pyarrow",
    **options: Any,
) -> dd.DataFrame:
    """
    A frame of Dask over a `Table`, or what `colkit.open` takes. `target_bytes`: stored bytes of a partition (64 MiB).
    `dtype_backend=None`: numpy's types, in which integers with nulls are floats.
    """
    table = source if isinstance(source, Table) else open_table(source, **options)
    view = table if where is None else table.where(where, params)
    if columns is not None:
        view = view.select(*columns)
    meta = _frame(view.schema.empty_table(), dtype_backend)
    splits = view.splits(target_bytes=target_bytes)
    if len(splits) == 0:
        return dd.from_pandas(meta, npartitions=1)
    return dd.from_map(_read, splits, dtype_backend=dtype_backend, meta=meta, label="colkit", enforce_metadata=False)


def _read(split: Split, columns: list[str] | None = None, dtype_backend: str | None = "pyarrow") -> pd.DataFrame:
    return _frame(split.to_arrow(columns), dtype_backend)


def _frame(table: pa.Table, dtype_backend: str | None) -> pd.DataFrame:
    return table.to_pandas(types_mapper=pd.ArrowDtype if dtype_backend == "pyarrow" else None)
