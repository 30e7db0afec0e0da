"""Tables opened, asked, read, cut into splits and pickled; answers beside those of pyarrow over the same rows."""

from __future__ import annotations

import datetime
import pickle
import tempfile
import unittest
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

import colkit
from tests.support import REGIONS, ROW_GROUP, ROWS, colkit as command, orders


class TableTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.path = orders(cls.folder)
        cls.table = colkit.open(cls.path)
        cls.all = cls.table.to_arrow()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.table.close()
        cls.temporary.cleanup()

    def test_tells_what_it_is(self) -> None:
        self.assertEqual(self.table.row_count, ROWS)
        self.assertEqual(self.table.count(), ROWS)
        self.assertEqual(self.table.file_count, 1)
        self.assertEqual(self.table.version, 0)
        self.assertEqual(self.table.fields[2], colkit.Field("amount", "float64", True))
        self.assertEqual(self.table.schema.names, ["id", "region", "amount", "at", "flag"])
        self.assertEqual(self.table.schema.field("at").type, pa.timestamp("us"))
        self.assertIn("row group", self.table.where("id < 10").explain())

    def test_gives_all_values(self) -> None:
        self.assertEqual(self.all.num_rows, ROWS)
        self.assertEqual(self.all["id"].to_pylist(), list(range(ROWS)))
        self.assertEqual(self.all["region"][:4].to_pylist(), [REGIONS[0], REGIONS[1], None, REGIONS[3]])
        self.assertEqual(self.all["amount"][:3].to_pylist(), [None, 0.5, 1.0])
        self.all.validate(full=True)

    def test_pushes_columns_and_predicates(self) -> None:
        params = {"least": 39990, "region": "EMEA"}
        found = self.table.to_arrow(["amount", "id"], "id >= @least and region == @region", params)
        expected = self.all.filter((pc.field("id") >= 39990) & (pc.field("region") == "EMEA")).select(["amount", "id"])
        self.assertEqual(found, expected)
        self.assertEqual(self.table.where("id in @ids", ids=[3, 2**60, -1]).to_arrow()["id"].to_pylist(), [3])
        self.assertEqual(self.table.where("amount > @x", x=float("nan")).count(), 0)
        self.assertEqual(self.table.slice(-3).select("id").to_arrow()["id"].to_pylist(), [39997, 39998, 39999])

    def test_moments_of_numpy_mean_the_same_in_any_unit(self) -> None:
        try:
            import numpy
        except ImportError:
            self.skipTest("numpy is not here")
        day = pa.scalar(datetime.datetime(2024, 1, 20), pa.timestamp("us"))
        after = self.all.filter(pc.field("at") > day).num_rows
        same = self.all.filter(pc.field("at") == day).num_rows
        self.assertGreater(after, 0)
        for unit in ("D", "s", "us", "ns"):
            moment = numpy.datetime64("2024-01-20", unit)
            self.assertEqual(self.table.where("at > @day", day=moment).count(), after, unit)
            for days in (numpy.array([moment]), [moment]):
                self.assertEqual(self.table.where("at in @days", days=days).count(), same, unit)
        self.assertEqual(self.table.where("at != @day", day=numpy.datetime64("NaT", "ns")).count(), ROWS)
        for span in (numpy.timedelta64(1, "ns"), numpy.array([2**60], "m8[ns]"), datetime.timedelta(1)):
            with self.assertRaisesRegex(colkit.ArgumentError, "condition of pyarrow compares spans"):
                self.table.where("at > @span", span=span)

    def test_gives_batches_of_the_size_asked_for_and_not_of_row_groups(self) -> None:
        with self.table.batches(["id"], rows=999) as reader:
            sizes = [batch.num_rows for batch in reader]
        self.assertEqual(sum(sizes), ROWS)
        self.assertLessEqual(max(sizes), 999)
        self.assertGreater(max(batch.num_rows for batch in self.table.batches(["id"])), ROW_GROUP)

    def test_a_stream_that_is_given_up_leaves_the_others_alone(self) -> None:
        first, second = self.table.batches(["id"], rows=100), self.table.batches(["id"], rows=100)
        next(iter(first))
        first.close()
        del first
        self.assertEqual(second.read_all().num_rows, ROWS)
        for _ in range(5000):
            next(iter(self.table.batches(["id"], rows=10)))

    def test_conditions_of_pyarrow_keep_what_pyarrow_keeps(self) -> None:
        condition = (pc.field("amount") > 100.0) & ~(pc.field("region") == "APAC")
        found = self.table.where(condition).select("id").to_arrow()
        self.assertEqual(found, self.all.filter(condition).select(["id"]))
        # What has no counterpart is applied here.
        length = pc.utf8_length(pc.field("region")) == 1
        self.assertEqual(self.table.where(length).count(), self.all.filter(length).num_rows)
        self.assertEqual(self.table.to_arrow(where=length & (pc.field("id") < 9)).num_rows, 2)
        with self.assertRaises(colkit.ArgumentError):
            self.table.where(length).where("id > 1")

    def test_splits_are_the_table(self) -> None:
        splits = self.table.splits(target_bytes=1)
        self.assertEqual(len(splits), ROWS // ROW_GROUP)
        self.assertEqual(pa.concat_tables(each.to_arrow() for each in pickle.loads(pickle.dumps(splits))), self.all)
        self.assertEqual([each.row_count for each in splits], [ROW_GROUP] * len(splits))
        self.assertTrue(all(Path(each.path) == self.path and each.byte_length > 0 for each in splits))
        # Row groups where nothing can match are left out.
        some = self.table.splits(["amount"], "id < 5001", target_bytes=1)
        self.assertEqual(len(some), 2)
        self.assertEqual(sum(each.count() for each in some), 5001)
        self.assertEqual(some[0].schema.names, ["amount"])
        with self.assertRaises(colkit.ArgumentError):
            self.table.slice(0, 5).splits()

    def test_other_processes_open_the_same_content_or_are_told(self) -> None:
        own = self.folder / "own.cna"
        command("convert", str(self.path), str(own))
        table = colkit.open(own)
        pickled, split = pickle.dumps(table.where("id < 3")), pickle.dumps(table.splits()[0])
        self.assertEqual(pickle.loads(pickled).count(), 3)
        (self.folder / "other.csv").write_text("id\n1\n")
        command("convert", str(self.folder / "other.csv"), str(own), "--overwrite")
        with self.assertRaises(colkit.IoError) as raised:
            pickle.loads(pickled)
        self.assertEqual(raised.exception.code, "ERR_FILE_CHANGED")
        with self.assertRaises(colkit.IoError) as raised:
            pickle.loads(split).to_arrow()
        self.assertEqual(raised.exception.code, "ERR_FILE_CHANGED")

    def test_folders_patterns_lists_and_the_other_formats(self) -> None:
        parts = self.folder / "parts" / "year=2024"
        parts.mkdir(parents=True)
        for name in ("a", "b"):
            (self.folder / f"{name}.csv").write_text(f"x,y\n1,{name}\n2,é\n", encoding="utf-8")
            command("convert", str(self.folder / f"{name}.csv"), str(parts / f"{name}.cna"))
        table = colkit.open(parts.parent)
        self.assertEqual((table.file_count, table.schema.names), (2, ["x", "y", "year"]))
        self.assertEqual(colkit.open(parts.parent, partitions=False).schema.names, ["x", "y"])
        self.assertEqual(colkit.open(str(parts / "*.cna")).to_arrow()["y"].to_pylist(), ["a", "é", "b", "é"])
        self.assertEqual(colkit.open([parts / "b.cna", parts / "a.cna"]).to_arrow(["y"])["y"][0].as_py(), "b")
        self.assertEqual([each.path for each in table.splits()], [str(parts / "a.cna"), str(parts / "b.cna")])
        command("convert", str(self.folder / "a.csv"), str(self.folder / "a.cstore"))
        self.assertEqual(colkit.open(self.folder / "a.cstore").to_arrow(["x"])["x"].to_pylist(), [1, 2])

    def test_items_are_one_piece(self) -> None:
        (self.folder / "numbers.csv").write_text("x,y\n1,0.5\n2,1.5\n3,2.5\n")
        command("convert", str(self.folder / "numbers.csv"), str(self.folder / "numbers.syr"))
        table = colkit.open(self.folder / "numbers.syr")
        splits = pickle.loads(pickle.dumps(table.where("x > 1").splits()))
        self.assertEqual([each.to_arrow()["y"].to_pylist() for each in splits], [[1.5, 2.5]])

    def test_errors_carry_class_and_code(self) -> None:
        for kind, code, work in (
            (colkit.UnknownColumnError, "ERR_UNKNOWN_COLUMN", lambda: self.table.to_arrow(["none"])),
            (colkit.QueryError, "ERR_QUERY_SYNTAX", lambda: self.table.where("id >").count()),
            (colkit.IoError, "ERR_NOT_FOUND", lambda: colkit.open(self.folder / "none.cna")),
            (colkit.ArgumentError, "ERR_ARGUMENT", lambda: colkit.open(5)),
            (colkit.ArgumentError, "ERR_ARGUMENT", lambda: self.table.where("id > @x", x=object())),
            (colkit.ArgumentError, "ERR_ARGUMENT", lambda: self.table.batches(rows=-1)),
        ):
            with self.assertRaises(kind) as raised:
                work()
            self.assertEqual(raised.exception.code, code)
            again = pickle.loads(pickle.dumps(raised.exception))
            self.assertEqual((type(again), again.code, str(again)), (kind, code, str(raised.exception)))
        bytes_ = bytearray(self.path.read_bytes())
        bytes_[40] ^= 0xFF
        (self.folder / "damaged.cna").write_bytes(bytes_)
        with self.assertRaises(colkit.CorruptFileError) as raised:
            colkit.open(self.folder / "damaged.cna").to_arrow()
        self.assertEqual(raised.exception.code, "ERR_CRC")
        closed = colkit.open(self.path)
        closed.close()
        with self.assertRaises(colkit.ClosedError):
            closed.count()

    def test_frames_of_pandas_and_polars(self) -> None:
        try:
            import pandas  # noqa: F401
            import polars  # noqa: F401
        except ImportError:
            self.skipTest("pandas or polars is not here")
        self.assertEqual(self.table.to_pandas(["id"], "id < 3")["id"].tolist(), [0, 1, 2])
        self.assertEqual(self.table.to_polars(["region"])["region"].null_count(), ROWS // 4)


if __name__ == "__main__":
    unittest.main()
