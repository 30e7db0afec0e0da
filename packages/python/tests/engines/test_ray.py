"""Ray Data over tables, a worker of which is killed in the middle of its read."""

from __future__ import annotations

import os
import signal
import tempfile
import time
import unittest
from pathlib import Path

import pyarrow as pa
import ray
import ray.data
from ray.data.expressions import col

import colkit
import colkit.ray
from colkit.ray import ColkitDatasource
from tests.support import ROW_GROUP, ROWS, WAIT_SECONDS, orders, servers


class Dying:
    """A read that kills its process after its first block, the first time."""

    def __init__(self, read: object, marker: str) -> None:
        self.read, self.marker = read, marker

    def __call__(self) -> object:
        for block in self.read():
            yield block
            try:
                os.close(os.open(self.marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            os.kill(os.getpid(), signal.SIGKILL)


class DyingDatasource(ColkitDatasource):
    marker = ""

    def get_read_tasks(self, *parameters: object, **more: object) -> list[object]:
        tasks = super().get_read_tasks(*parameters, **more)
        for task in tasks:
            task._read_fn = Dying(task._read_fn, self.marker)
        return tasks


class RayTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.temporary = tempfile.TemporaryDirectory()
        cls.path = orders(Path(cls.temporary.name))
        cls.table = colkit.open(cls.path)
        root = str(Path(__file__).parents[2])
        ray.init(
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            object_store_memory=200 << 20,
            runtime_env={"env_vars": {"PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])}},
        )
        ray.data.DataContext.get_current().enable_progress_bars = False

    @classmethod
    def tearDownClass(cls) -> None:
        ray.shutdown()
        end = time.monotonic() + WAIT_SECONDS
        # One is of this process.
        while len(servers()) > 1 and time.monotonic() < end:
            time.sleep(0.1)
        assert len(servers()) <= 1, "servers of workers are left"
        cls.temporary.cleanup()

    def test_answers(self) -> None:
        data = colkit.ray.read(self.table, target_bytes=1)
        found = pa.concat_tables(ray.get(data.to_arrow_refs())).sort_by("id")
        self.assertEqual(found.cast(self.table.schema), self.table.to_arrow())
        self.assertEqual(data.count(), ROWS)
        self.assertEqual(data.sum("id"), ROWS * (ROWS - 1) // 2)

    def test_batches_are_not_row_groups(self) -> None:
        source = ColkitDatasource(self.table, 1)
        tasks = source.get_read_tasks(8)
        self.assertEqual([each.metadata.num_rows for each in tasks], [ROW_GROUP] * 8)
        whole = ColkitDatasource(self.table).get_read_tasks(1)
        blocks = [block.num_rows for block in whole[0]()]
        self.assertEqual((len(whole), sum(blocks)), (1, ROWS))
        self.assertGreater(len(blocks), 1)
        # Ray wants several tasks of one large split.
        self.assertGreater(len(ColkitDatasource(self.table).get_read_tasks(4)), 1)

    def test_columns_and_conditions_are_handed_over(self) -> None:
        data = colkit.ray.read(self.path).filter(expr=(col("id") < 6000) & (col("region") == "EMEA"))
        data = data.select_columns(["amount"])
        self.assertEqual(data.count(), 1500)
        self.assertEqual(data.schema().names, ["amount"])
        plan = data._logical_plan
        from ray.data._internal.logical.optimizers import LogicalOptimizer

        optimized = LogicalOptimizer().optimize(plan).dag
        reads = [each for each in optimized.post_order_iter() if type(each).__name__ == "Read"]
        self.assertEqual(len(reads), 1)
        self.assertEqual(list(reads[0].datasource.get_projection_map() or {}), ["amount"])
        self.assertIsNotNone(reads[0].datasource.get_current_predicate())
        narrow = colkit.ray.read(self.path, columns=["id"], where="id >= 39998", target_bytes=1)
        self.assertEqual([each["id"] for each in narrow.take_all()], [39998, 39999])

    def test_a_killed_worker_is_followed(self) -> None:
        source = DyingDatasource(self.table, 1)
        source.marker = os.path.join(self.temporary.name, "died")
        data = ray.data.read_datasource(source)
        self.assertEqual(data.sum("id"), ROWS * (ROWS - 1) // 2)
        self.assertTrue(os.path.exists(source.marker))


if __name__ == "__main__":
    unittest.main()
