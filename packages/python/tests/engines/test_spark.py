"""Spark over tables, a Python worker of which is killed in the middle of its partition."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession, datasource
from pyspark.sql.types import StructType

import colkit
import colkit.spark
from colkit.spark import FILTERS_SETTING as FILTERS
from colkit.spark import ColkitDataSource, ColkitReader, condition_of
from tests.support import ROW_GROUP, ROWS, WAIT_SECONDS, colkit as command, orders, servers


class DyingReader(ColkitReader):
    marker = ""

    def read(self, partition: Any) -> Iterator[pa.RecordBatch]:
        for batch in super().read(partition):
            yield batch
            try:
                os.close(os.open(self.marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            os.kill(os.getpid(), signal.SIGKILL)


class DyingSource(ColkitDataSource):
    @classmethod
    def name(cls) -> str:
        return "dying"

    def _reader(self, view: colkit.Table, schema: StructType, target_bytes: int | None) -> ColkitReader:
        reader = DyingReader(view, schema, target_bytes)
        reader.marker = self.options["marker"]
        return reader


class SparkTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.path = orders(cls.folder)
        cls.table = colkit.open(cls.path)
        root = str(Path(__file__).parents[2])
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        cls.spark = (
            SparkSession.builder.master("local[2,3]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.memory", "1g")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.executorEnv.PYTHONPATH", os.pathsep.join([root, os.environ.get("PYTHONPATH", "")]))
            .getOrCreate()
        )
        cls.spark.sparkContext.setLogLevel("OFF")
        colkit.spark.register(cls.spark)
        cls.spark.dataSource.register(DyingSource)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.spark.stop()
        end = time.monotonic() + WAIT_SECONDS
        # One is of this process.
        while len(servers()) > 1 and time.monotonic() < end:
            time.sleep(0.1)
        assert len(servers()) <= 1, "servers of workers are left"
        cls.temporary.cleanup()

    def read(self, **options: str) -> Any:
        return self.spark.read.format("colkit").options(**options).load(str(self.path))

    def test_answers(self) -> None:
        frame = self.read(targetBytes="1")
        self.assertEqual(frame.rdd.getNumPartitions(), ROWS // ROW_GROUP)
        self.assertEqual(frame.dtypes[:3], [("id", "bigint"), ("region", "string"), ("amount", "double")])
        self.assertEqual(frame.dtypes[3][1], "timestamp_ntz")
        self.assertEqual(frame.count(), ROWS)
        found = frame.orderBy("id").toArrow()
        self.assertEqual(found.cast(self.table.schema), self.table.to_arrow())
        grouped = {row["region"]: row["count"] for row in frame.groupBy("region").count().collect()}
        self.assertEqual(grouped, {"EMEA": 10000, "APAC": 10000, None: 10000, "\U0001f600": 10000})

    def test_columns_are_told_by_an_option_or_a_schema(self) -> None:
        self.assertEqual(self.read(columns="amount, id").columns, ["amount", "id"])
        self.assertEqual(self.read(columns='["at"]').columns, ["at"])
        narrow = self.spark.read.format("colkit").schema("id long, amount double").load(str(self.path))
        self.assertEqual(narrow.agg({"id": "max"}).collect()[0][0], ROWS - 1)
        where = self.read(where="id < @end and region == @region", params='{"end": 9, "region": "EMEA"}')
        self.assertEqual([row["id"] for row in where.select("id").collect()], [0, 4, 8])
        self.assertEqual(self.read(where="id < 0").count(), 0)
        with self.assertRaises(Exception) as raised:
            self.read(columns="none").count()
        self.assertIn("ERR_UNKNOWN_COLUMN", str(raised.exception))

    def test_conditions_are_handed_over_where_the_setting_is_on(self) -> None:
        for setting, partitions in (("false", 8), ("true", 2)):
            self.spark.conf.set(FILTERS, setting)
            colkit.spark.register(self.spark)
            try:
                frame = self.read(targetBytes="1").where("id < 6000 and region = 'EMEA'")
                self.assertEqual(frame.rdd.getNumPartitions(), partitions)
                self.assertEqual(frame.count(), 1500)
                for text in ("amount > 100 and not flag", "region is null", "region in ('EMEA', null)", "amount <> 5",
                             "region like 'E%'", "at >= timestamp_ntz '2024-01-20 00:00:00'"):
                    with self.subTest((setting, text)):
                        whole = self.read().where(f"coalesce({text}, false)").count()
                        self.assertEqual(self.read().where(text).count(), whole)
            finally:
                self.spark.conf.unset(FILTERS)
                colkit.spark.register(self.spark)

    def test_nan_and_what_has_no_counterpart(self) -> None:
        schema = pa.schema([("f", pa.float64()), ("i", pa.int64()), ("b", pa.binary())])
        greater = condition_of(datasource.GreaterThan(("f",), 5.0), schema)
        self.assertEqual(greater, ("`f` > @p or `f` != `f`", {"p": 5.0}))
        for given in (
            datasource.EqualTo(("f",), float("nan")),
            datasource.EqualTo(("i",), "5"),
            datasource.EqualTo(("i", "x"), 5),
            datasource.EqualTo(("b",), b"x"),
            datasource.Not(datasource.LessThan(("f",), 5.0)),
            datasource.Not(datasource.In(("i",), (1, None))),
            datasource.StringContains(("f",), "x"),
        ):
            self.assertIsNone(condition_of(given, schema), given)
        (self.folder / "nan.csv").write_text("f,n\nnan,1\n1.5,2\n9.5,3\n")
        command("convert", str(self.folder / "nan.csv"), str(self.folder / "nan.cna"))
        self.spark.conf.set(FILTERS, "true")
        colkit.spark.register(self.spark)
        try:
            frame = self.spark.read.format("colkit").load(str(self.folder / "nan.cna"))
            self.assertEqual([row["n"] for row in frame.where("f > 5").orderBy("n").collect()], [1, 3])
        finally:
            self.spark.conf.unset(FILTERS)
            colkit.spark.register(self.spark)

    def test_a_killed_worker_is_followed(self) -> None:
        marker = self.folder / "died"
        frame = self.spark.read.format("dying").options(targetBytes="1", marker=str(marker)).load(str(self.path))
        self.assertEqual(frame.agg({"id": "sum"}).collect()[0][0], ROWS * (ROWS - 1) // 2)
        self.assertTrue(marker.exists())


if __name__ == "__main__":
    unittest.main()
