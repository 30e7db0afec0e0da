"""
Tables in Ray Data: a read task for each split, which gives batches of bounded size as blocks, whatever the row groups
of the file. Ray hands over columns (`select_columns`) and conditions (`filter(expr=...)`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
import ray.data
from ray.data.block import BlockMetadata
from ray.data.datasource import Datasource, ReadTask

from ._table import Predicate, Split, Table, open as open_table

#: A guess for what has no width: texts and bytes.
_TEXT_BYTES = 24
#: Of nulls: by it Ray knows the rows of a block without columns, and hides it.
_NO_COLUMNS = "__bsp_stub"


class ColkitDatasource(Datasource):
    """What Ray reads a `Table` through."""

    def __init__(self, table: Table, target_bytes: int | None = None) -> None:
        super().__init__()
        self._table = table
        self._target_bytes = target_bytes
        # Of Ray's mixin, which leaves it to who supports it.
        self._projection_map: dict[str, str] | None = None

    def get_name(self) -> str:
        return "colkit"

    def supports_projection_pushdown(self) -> bool:
        return True

    def supports_predicate_pushdown(self) -> bool:
        return True

    def estimate_inmemory_data_size(self) -> int:
        return self._table.row_count * _row_bytes(self._view().schema)

    def get_read_tasks(
        self, parallelism: int, per_task_row_limit: int | None = None, data_context: object = None
    ) -> list[ReadTask]:
        view = self._view()
        splits = view.splits(target_bytes=self._target_bytes)
        stored = sum(each.byte_length or 0 for each in splits)
        if self._target_bytes is None and 0 < len(splits) < parallelism and stored > 0:
            splits = view.splits(target_bytes=max(1, stored // parallelism))
        names = None if self._projection_map is None else list(self._projection_map)
        row_bytes = _row_bytes(view.schema)
        schema = pa.schema([(_NO_COLUMNS, pa.null())]) if names == [] else view.schema
        is_whole = len(view._query.steps) == (0 if names is None else 1) and self._predicate_expr is None
        tasks = []
        for split in splits:
            rows = split.row_count if is_whole else None
            described = BlockMetadata(rows, split.row_count * row_bytes, input_files=[split.path], exec_stats=None)
            read = _Read(split, is_empty=names == [])
            tasks.append(ReadTask(read, described, schema=schema, per_task_row_limit=per_task_row_limit))
        return tasks

    def _view(self) -> Table:
        view = self._table
        if self._predicate_expr is not None:
            view = view.where(self._predicate_expr.to_pyarrow())
        if self._projection_map is not None:
            # Where rows are only counted, one column tells how many there are.
            view = view.select(*(list(self._projection_map) or view.schema.names[:1]))
        return view


class _Read:
    """What a task runs."""

    def __init__(self, split: Split, is_empty: bool) -> None:
        self._split = split
        self._is_empty = is_empty

    def __call__(self) -> Iterator[pa.Table]:
        for batch in self._split.batches():
            table = pa.Table.from_batches([batch])
            yield pa.table({_NO_COLUMNS: pa.nulls(table.num_rows)}) if self._is_empty else table


def read(
    source: object,
    *,
    columns: Sequence[str] | None = None,
    where: Predicate | None = None,
    params: Mapping[str, object] | None = None,
    target_bytes: int | None = None,
    override_num_blocks: int | None = None,
    **options: Any,
) -> ray.data.Dataset:
    """
    A dataset of Ray over a `Table`, or what `colkit.open` takes. `target_bytes`: stored bytes of a task (64 MiB, less
    where Ray wants more tasks).
    """
    table = source if isinstance(source, Table) else open_table(source, **options)
    if where is not None:
        table = table.where(where, params)
    if columns is not None:
        table = table.select(*columns)
    return ray.data.read_datasource(ColkitDatasource(table, target_bytes), override_num_blocks=override_num_blocks)


def _row_bytes(schema: pa.Schema) -> int:
    return max(1, sum(_value_bytes(field.type) for field in schema))


def _value_bytes(kind: pa.DataType) -> int:
    try:
        return max(1, kind.bit_width // 8)
    except ValueError:
        return _TEXT_BYTES
