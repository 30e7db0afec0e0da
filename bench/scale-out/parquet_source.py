"""Parquet by pyarrow as a Python data source of Spark: what the bridge stands beside, a partition for each file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType


class ParquetByArrow(DataSource):
    @classmethod
    def name(cls) -> str:
        return "parquet-by-arrow"

    def schema(self) -> StructType:
        return from_arrow_schema(pq.read_schema(json.loads(self.options["paths"])[0]))

    def reader(self, schema: StructType) -> DataSourceReader:
        return ParquetReader(json.loads(self.options["paths"]), schema)


class ParquetReader(DataSourceReader):
    def __init__(self, paths: list[str], schema: StructType) -> None:
        self.paths, self.schema = paths, schema

    def partitions(self) -> Sequence[InputPartition]:
        return [InputPartition(path) for path in self.paths]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        schema = to_arrow_schema(self.schema, timezone="UTC")
        for batch in pq.ParquetFile(partition.value).iter_batches():
            yield pa.RecordBatch.from_arrays([column.cast(field.type) for column, field in zip(batch.columns, schema)],
                                             schema=schema)
