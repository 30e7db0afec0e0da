"""Dask over tables, in processes of its own, one of which is killed in the middle of its task."""

from __future__ import annotations

import os
import signal
import tempfile
import unittest
from pathlib import Path

import dask.dataframe as dd
import pandas as pd
from dask.distributed import Client, LocalCluster

import colkit
import colkit.dask
from tests.support import ROW_GROUP, ROWS, gone, orders, servers


def dies_once(frame: pd.DataFrame, marker: str) -> pd.DataFrame:
    """Kills the process that works on the first partition, the first time."""
    if 0 in frame["id"].to_numpy():
        try:
            os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return frame
        os.kill(os.getpid(), signal.SIGKILL)
    return frame


class DaskTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.temporary = tempfile.TemporaryDirectory()
        cls.path = orders(Path(cls.temporary.name))
        cls.table = colkit.open(cls.path)
        cls.cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
        cls.client = Client(cls.cluster)

    @classmethod
    def tearDownClass(cls) -> None:
        of_workers = [each for each in servers() if each not in [*cls.own()]]
        cls.client.close()
        cls.cluster.close()
        cls.temporary.cleanup()
        assert gone(of_workers), "servers of workers are left"

    @staticmethod
    def own() -> list[int]:
        from colkit._bridge import bridge
        from colkit._node import NodeSettings

        return [bridge(NodeSettings()).pid]

    def test_answers(self) -> None:
        frame = colkit.dask.read(self.table, target_bytes=1)
        self.assertEqual(frame.npartitions, ROWS // ROW_GROUP)
        pandas = self.table.to_arrow().to_pandas(types_mapper=pd.ArrowDtype)
        self.assertEqual(list(frame.dtypes), list(pandas.dtypes))
        found = frame.groupby("region").amount.sum().compute().sort_index()
        pd.testing.assert_series_equal(found, pandas.groupby("region").amount.sum().sort_index(), check_names=False)
        self.assertEqual(int(frame.id.sum().compute()), int(pandas.id.sum()))
        whole = frame.compute().reset_index(drop=True)
        self.assertEqual(whole["id"].tolist(), list(range(ROWS)))
        self.assertEqual(int(whole["amount"].isna().sum()), int(pandas["amount"].isna().sum()))

    def test_columns_are_handed_over_and_where_is_told(self) -> None:
        frame = colkit.dask.read(self.path, where="id < @end", params={"end": 6000}, target_bytes=1)
        self.assertEqual(frame.npartitions, 2)
        optimized = frame["amount"].sum().optimize(fuse=False)
        reads = [each for each in optimized.expr.walk() if type(each).__name__ == "FromMapProjectable"]
        self.assertEqual([each.columns for each in reads], [["amount"]])
        self.assertEqual(len(frame), 6000)
        self.assertEqual(len(colkit.dask.read(self.path, where="id < 0").compute()), 0)
        floats = colkit.dask.read(self.path, columns=["amount"], dtype_backend=None)
        self.assertEqual(str(floats.dtypes["amount"]), "float64")

    def test_a_killed_worker_is_followed(self) -> None:
        marker = os.path.join(self.temporary.name, "died")
        frame: dd.DataFrame = colkit.dask.read(self.table, columns=["id", "amount"], target_bytes=1)
        workers = set(self.client.scheduler_info()["workers"])
        found = frame.map_partitions(dies_once, marker, meta=frame._meta).id.sum().compute()
        self.assertEqual(int(found), ROWS * (ROWS - 1) // 2)
        self.assertTrue(os.path.exists(marker))
        self.client.wait_for_workers(2, timeout=60)
        self.assertNotEqual(set(self.client.scheduler_info()["workers"]), workers)
        # One in this process, one in each of two workers: that of the dead one is gone.
        until = 3
        from tests.support import WAIT_SECONDS
        import time

        end = time.monotonic() + WAIT_SECONDS
        while len(servers()) > until and time.monotonic() < end:
            time.sleep(0.1)
        self.assertLessEqual(len(servers()), until)


if __name__ == "__main__":
    unittest.main()
