"""A table as pyarrow's dataset, which engines ask for columns and conditions through `scanner`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from ._table import Table


class ColkitDataset(ds.Dataset):
    """What DuckDB takes for a dataset. Only what is asked through `scanner` is there."""

    # pyarrow's own constructor refuses.
    def __init__(self, table: Table) -> None:
        self._table = table
        self._arrow_schema = table.schema

    @property
    def schema(self) -> pa.Schema:
        return self._arrow_schema

    def scanner(
        self,
        columns: Sequence[str] | None = None,
        filter: pc.Expression | None = None,  # noqa: A002: pyarrow's name
        batch_size: int | None = None,
        **_: Any,
    ) -> ds.Scanner:
        view = self._table if filter is None else self._table.where(filter)
        # Columns of none: the number of rows is asked for, and a batch without columns has none.
        if columns is not None and len(columns) > 0:
            view = view.select(*columns)
        # `batch_size` is pyarrow's default of 131,072 rows: ours are bounded by bytes.
        return ds.Scanner.from_batches(view.batches())

    def count_rows(self, filter: pc.Expression | None = None, **_: Any) -> int:  # noqa: A002
        return (self._table if filter is None else self._table.where(filter)).count()

    def to_table(self, columns: Sequence[str] | None = None, filter: Any = None, **_: Any) -> pa.Table:  # noqa: A002
        return self._table.to_arrow(columns, filter)

    def to_batches(self, columns: Sequence[str] | None = None, filter: Any = None, **_: Any) -> Any:  # noqa: A002
        return self._table.batches(columns, filter)

    def __reduce__(self) -> tuple[type, tuple[Table]]:
        return (ColkitDataset, (self._table,))
