"""
Tables in Spark, through its Python data sources (4.0 and newer): a partition for each split.

Spark NEVER hands the columns of a query to a Python data source. Without `option("columns", ...)`, or a schema, every
query reads all columns. Conditions are handed over from 4.1 on where `spark.sql.python.filterPushdown.enabled` is true
when `register` is called, which it is not by default; say `option("where", ...)` where it is not.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import datasource as spark_datasource
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

from ._errors import ArgumentError
from ._table import Split, Table, open as open_table

FILTERS_SETTING = "spark.sql.python.filterPushdown.enabled"
_OPERATORS = {"EqualTo": "==", "GreaterThan": ">", "GreaterThanOrEqual": ">=", "LessThan": "<", "LessThanOrEqual": "<="}
#: Spark's types are fewer.
_WIDER = {
    pa.uint8(): pa.int16(),
    pa.uint16(): pa.int32(),
    pa.uint32(): pa.int64(),
    pa.uint64(): pa.decimal128(20, 0),
    pa.float16(): pa.float32(),
    pa.large_string(): pa.string(),
    pa.large_binary(): pa.binary(),
}


class ColkitDataSource(DataSource):
    """
    `spark.read.format("colkit")`. Options: `columns` (names with commas, or a list as JSON), `where`, `params` (JSON),
    `targetBytes`, `version`, `partitions`, `onMismatch`, `node`, `package`.
    """

    @classmethod
    def name(cls) -> str:
        return "colkit"

    def schema(self) -> StructType:
        return from_arrow_schema(_spark_schema(self._view().schema))

    def reader(self, schema: StructType) -> DataSourceReader:
        view = self._view()
        # A schema of the user's is a choice of columns.
        names = schema.names
        view = view if names == view.schema.names else view.select(*names)
        return self._reader(view, schema, self._target_bytes())

    def _reader(self, view: Table, schema: StructType, target_bytes: int | None) -> ColkitReader:
        return ColkitReader(view, schema, target_bytes)

    def _target_bytes(self) -> int | None:
        given = self.options.get("targetBytes")
        return None if given is None else int(given)

    def _view(self) -> Table:
        options = self.options
        view = open_table(
            json.loads(options["paths"]) if "paths" in options else self._required("path"),
            version=None if options.get("version") is None else int(options["version"]),
            partitions=str(options.get("partitions", "true")).lower() != "false",
            on_mismatch=options.get("onMismatch"),
            node=options.get("node"),
            package=options.get("package"),
        )
        where, columns = options.get("where"), options.get("columns")
        if where is not None:
            view = view.where(where, json.loads(options.get("params") or "{}"))
        if columns is not None:
            names = json.loads(columns) if columns.startswith("[") else [each.strip() for each in columns.split(",")]
            view = view.select(*names)
        return view

    def _required(self, name: str) -> str:
        if name not in self.options:
            told = f"{name}: expected a path or URL: spark.read.format('colkit').load(path)"
            raise ArgumentError("ERR_ARGUMENT", told)
        return self.options[name]


class FilteringDataSource(ColkitDataSource):
    """The same where Spark hands conditions over. Where its setting is off, Spark refuses a reader that takes them."""

    def _reader(self, view: Table, schema: StructType, target_bytes: int | None) -> ColkitReader:
        return FilteringReader(view, schema, target_bytes)


class SplitPartition(InputPartition):
    """A split as a task."""

    def __init__(self, split: Split) -> None:
        super().__init__(0)
        self.split = split


class ColkitReader(DataSourceReader):
    """What plans a scan and reads its partitions."""

    def __init__(self, view: Table, schema: StructType, target_bytes: int | None) -> None:
        self._view = view
        self._schema = schema
        self._target_bytes = target_bytes

    def partitions(self) -> Sequence[InputPartition]:
        # Spark calls `read` with None where there is no partition.
        return [SplitPartition(each) for each in self._view.splits(target_bytes=self._target_bytes)] or [
            SplitPartition(None)  # type: ignore[arg-type]
        ]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        split = partition.split  # type: ignore[attr-defined]
        if split is None:
            return
        schema = _arrow_schema(self._schema)
        for batch in split.batches():
            columns = [_cast(batch.column(index), field.type) for index, field in enumerate(schema)]
            yield pa.RecordBatch.from_arrays(columns, schema=schema)


class FilteringReader(ColkitReader):
    """One that takes conditions."""

    def pushFilters(self, filters: list[Any]) -> Iterable[Any]:  # noqa: N802: Spark's name
        """They narrow down what is read; Spark applies each of them again."""
        arrow = self._view.schema
        for each in filters:
            pushed = condition_of(each, arrow)
            if pushed is not None:
                self._view = self._view.where(*pushed)
        return filters


def register(spark: SparkSession) -> None:
    """
    Makes `spark.read.format("colkit")` known to a session. Conditions are taken where the session's setting is on by
    now: after a change of `spark.sql.python.filterPushdown.enabled`, register again.
    """
    takes_conditions = str(spark.conf.get(FILTERS_SETTING, "false")).lower() == "true"
    spark.dataSource.register(FilteringDataSource if takes_conditions else ColkitDataSource)


def condition_of(given: Any, schema: pa.Schema) -> tuple[str, dict[str, object]] | None:
    """A condition of Spark as one that keeps at least the same rows: text and parameters. None where there is none."""
    if isinstance(given, spark_datasource.Not):
        return _negation(given.child, schema)
    path = getattr(given, "attribute", ())
    if len(path) != 1 or schema.get_field_index(path[0]) < 0 or any(each in path[0] for each in "`\\\n\r"):
        return None
    name, kind = f"`{path[0]}`", schema.field(path[0]).type
    word = type(given).__name__
    if word in ("IsNull", "IsNotNull"):
        return f"{name} is {'not ' if word == 'IsNotNull' else ''}null", {}
    if word == "In":
        values = [each for each in given.value if each is not None]
        return (f"{name} in @p", {"p": values}) if all(_is_comparable(each, kind) for each in values) else None
    if word == "StringStartsWith" and _is_text(kind):
        return f"startsWith({name}, @p)", {"p": given.value}
    if word not in _OPERATORS or not _is_comparable(given.value, kind):
        return None
    text = f"{name} {_OPERATORS[word]} @p"
    # To Spark, NaN is larger than all numbers.
    if word.startswith("Greater") and pa.types.is_floating(kind):
        text = f"{text} or {name} != {name}"
    return text, {"p": given.value}


def _negation(child: Any, schema: pa.Schema) -> tuple[str, dict[str, object]] | None:
    if type(child).__name__ not in ("EqualTo", "In"):
        return None
    if type(child).__name__ == "In" and any(each is None for each in child.value):
        return None
    inner = condition_of(child, schema)
    return None if inner is None else (f"not ({inner[0]})", inner[1])


def _is_comparable(value: object, kind: pa.DataType) -> bool:
    types = pa.types
    if isinstance(value, bool):
        return types.is_boolean(kind)
    if isinstance(value, int):
        return types.is_integer(kind)
    if isinstance(value, float):
        return types.is_float64(kind) and value == value
    if isinstance(value, str):
        return _is_text(kind)
    if isinstance(value, datetime.datetime):
        return types.is_timestamp(kind) and kind.tz is None and value.tzinfo is None
    return isinstance(value, datetime.date) and types.is_date32(kind)


def _is_text(kind: pa.DataType) -> bool:
    value = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.types.is_string(value) or pa.types.is_large_string(value)


def _spark_schema(schema: pa.Schema) -> pa.Schema:
    return pa.schema([pa.field(each.name, _spark_type(each.type), each.nullable) for each in schema])


def _spark_type(kind: pa.DataType) -> pa.DataType:
    types = pa.types
    if types.is_dictionary(kind):
        return _spark_type(kind.value_type)
    if types.is_timestamp(kind):
        return pa.timestamp("us", kind.tz)
    if types.is_duration(kind):
        return pa.duration("us")
    if types.is_date64(kind):
        return pa.date32()
    if types.is_fixed_size_binary(kind):
        return pa.binary()
    return _WIDER.get(kind, kind)


def _arrow_schema(schema: StructType) -> pa.Schema:
    """As Spark expects batches; newer versions name the zone."""
    try:
        return to_arrow_schema(schema, timezone="UTC")
    except TypeError:
        return to_arrow_schema(schema)


def _cast(column: pa.Array, kind: pa.DataType) -> pa.Array:
    """Raises pyarrow.ArrowInvalid where the value is not there in Spark's type: nanoseconds, say."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    return column if column.type == kind else column.cast(kind)
