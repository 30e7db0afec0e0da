"""DuckDB over tables: what it hands over, its answers beside its own over Arrow, and a server that is killed."""

from __future__ import annotations

import os
import signal
import tempfile
import unittest
from pathlib import Path

import duckdb

import colkit
import colkit.duckdb
from colkit._bridge import bridge
from colkit._dataset import ColkitDataset
from colkit._node import NodeSettings
from tests.support import ROWS, orders

QUERIES = (
    "select count(*) from {}",
    "select region, count(*), sum(amount), min(\"at\") from {} group by region order by region nulls first",
    "select sum(id) from {} where amount > 100 and region in ('EMEA', '\U0001f600')",
    "select id from {} where region is null and id between 10 and 30 order by id",
    "select count(*) from {} where \"at\" >= timestamp '2024-01-20' and not flag",
    "select count(*) from {} where region <> 'APAC' or amount is null",
    "select count(*) from {} where region like 'E%' and id % 3 = 0",
    "select max(amount) from {} where flag",
    "select a.id, b.region from {} a join {} b on a.id + 1 = b.id where a.id < 5 order by 1",
)


class DuckDBTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.temporary = tempfile.TemporaryDirectory()
        cls.path = orders(Path(cls.temporary.name))
        cls.table = colkit.open(cls.path)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.temporary.cleanup()

    def test_answers(self) -> None:
        ours, arrow = colkit.duckdb.dataset(self.table), self.table.to_arrow()  # noqa: F841: DuckDB finds them
        for query in QUERIES:
            with self.subTest(query):
                found = duckdb.sql(query.replace("{}", "ours")).fetchall()
                self.assertEqual(found, duckdb.sql(query.replace("{}", "arrow")).fetchall())
        connection = duckdb.connect()
        colkit.duckdb.register(connection, "orders", self.path)
        self.assertEqual(connection.sql("select count(*) from orders where id < 7").fetchall(), [(7,)])

    def test_hands_columns_and_conditions_over(self) -> None:
        asked: list[tuple[list[str], object]] = []

        class Recorded(ColkitDataset):
            def scanner(self, columns: object = None, filter: object = None, **more: object) -> object:  # noqa: A002
                asked.append((columns, filter))
                return super().scanner(columns, filter, **more)

        dataset = Recorded(self.table)  # noqa: F841
        self.assertEqual(duckdb.sql("select count(amount) from dataset where id < 6000").fetchall(), [(5142,)])
        columns, condition = asked[-1]
        # Some versions ask for the columns of the condition, too.
        self.assertIn(sorted(columns), (["amount"], ["amount", "id"]))
        self.assertEqual(str(condition), "(id < 6000)")
        narrowed = self.table.where(condition)
        self.assertEqual(len(narrowed.splits(target_bytes=1)), 2)

    def test_a_killed_server_fails_its_query_and_not_the_next(self) -> None:
        orders = colkit.duckdb.dataset(self.table)  # noqa: F841
        running = bridge(NodeSettings())
        reader = orders.scanner(columns=["id"]).to_reader()  # noqa: F841
        os.kill(running.pid, signal.SIGKILL)
        with self.assertRaises(Exception) as raised:
            duckdb.sql("select sum(id) from reader").fetchall()
        self.assertIn("ERR_BRIDGE_LOST", str(raised.exception))
        self.assertEqual(duckdb.sql("select count(*) from orders").fetchall(), [(ROWS,)])


if __name__ == "__main__":
    unittest.main()
