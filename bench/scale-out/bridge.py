"""
One engine, two sources of the same rows: colkit's bridge over `.cna`, and pyarrow over Parquet. Prints seconds of each
round, which take turns, as JSON. `bridge.py ENGINE FOLDER ROUNDS`.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq

import colkit

ROW_GROUP_ROWS = 125_000
COLUMNS = ["id", "qty", "amount", "region"]
#: A task, its two sources, and what their answers are compared by.
Task = tuple[str, Callable[[], Any], Callable[[], Any]]


def parquet_of(folder: Path) -> list[str]:
    """The same rows, a file for each part, as pyarrow writes them by default but for the row groups."""
    paths = []
    for number, part in enumerate(sorted(part_paths(folder))):
        path = folder / "parquet" / f"{number}.parquet"
        paths.append(str(path))
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            rows = colkit.open([part], partitions=False).to_arrow(COLUMNS)
            pq.write_table(rows, path, row_group_size=ROW_GROUP_ROWS)
    return paths


def part_paths(folder: Path) -> list[str]:
    return list(dict.fromkeys(each.path for each in colkit.open(folder / "orders").splits()))


def of_pyarrow(table: colkit.Table, paths: list[str]) -> Iterator[list[Task]]:
    import pyarrow.dataset as ds

    parquet = ds.dataset(paths)
    condition = pc.field("qty") < 10
    yield [
        ("all values", lambda: table.to_arrow(COLUMNS).num_rows, lambda: parquet.to_table(COLUMNS).num_rows),
        ("one column", lambda: table.to_arrow(["amount"]).num_rows, lambda: parquet.to_table(["amount"]).num_rows),
        (
            "a tenth of the rows",
            lambda: table.to_arrow(["id", "amount"], condition).num_rows,
            lambda: parquet.to_table(["id", "amount"], condition).num_rows,
        ),
    ]


def of_duckdb(table: colkit.Table, paths: list[str]) -> Iterator[list[Task]]:
    import duckdb
    import pyarrow.dataset as ds

    import colkit.duckdb

    with duckdb.connect() as connection:
        colkit.duckdb.register(connection, "ours", table)
        connection.register("parquet", ds.dataset(paths))

        def asked(query: str) -> Callable[[], Any]:
            return lambda: sorted(connection.sql(query).fetchall())

        every = "select count(id), sum(qty), count(amount), max(region) from {}"
        group = "select region, count(*), max(amount) from {} where qty < 50 group by region"
        yield [
            ("all values", asked(every.format("ours")), asked(every.format("parquet"))),
            ("by group", asked(group.format("ours")), asked(group.format("parquet"))),
        ]


def of_dask(table: colkit.Table, paths: list[str]) -> Iterator[list[Task]]:
    import dask.dataframe as dd
    from dask.distributed import Client, LocalCluster

    import colkit.dask

    def tasks(frame: Callable[[], Any]) -> tuple[Callable[[], Any], Callable[[], Any]]:
        def by_group() -> list[float]:
            rows = frame()
            return rows[rows.qty < 50].groupby("region").amount.max().compute().sort_index().tolist()

        return (lambda: [int(each) for each in frame().count().compute()[COLUMNS]], by_group)

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        ours = tasks(lambda: colkit.dask.read(table, columns=COLUMNS))
        parquet = tasks(lambda: dd.read_parquet(paths, columns=COLUMNS, dtype_backend="pyarrow"))
        yield [("all values", ours[0], parquet[0]), ("by group", ours[1], parquet[1])]


def of_ray(table: colkit.Table, paths: list[str]) -> Iterator[list[Task]]:
    import ray
    import ray.data

    import colkit.ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=1 << 30)
    ray.data.DataContext.get_current().enable_progress_bars = False

    def rows_of(data: ray.data.Dataset) -> int:
        return sum(block.num_rows for block in data.iter_batches(batch_size=None, batch_format="pyarrow"))

    yield [
        (
            "all values",
            lambda: rows_of(colkit.ray.read(table, columns=COLUMNS)),
            lambda: rows_of(ray.data.read_parquet(paths, columns=COLUMNS)),
        ),
        (
            "sum of a column",
            lambda: colkit.ray.read(table, columns=["qty"]).sum("qty"),
            lambda: ray.data.read_parquet(paths, columns=["qty"]).sum("qty"),
        ),
    ]
    ray.shutdown()


def of_spark(table: colkit.Table, paths: list[str]) -> Iterator[list[Task]]:
    from pyspark.sql import SparkSession

    import colkit.spark
    from parquet_source import ParquetByArrow

    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    colkit.spark.register(spark)
    spark.dataSource.register(ParquetByArrow)
    source = str(Path(paths[0]).parents[1] / "orders")

    def asked(make: Callable[[], Any], text: str) -> Callable[[], Any]:
        def rows() -> list[tuple[Any, ...]]:
            make().createOrReplaceTempView("rows")
            return sorted(tuple(row) for row in spark.sql(text).collect())

        return rows

    def ours() -> Any:
        return spark.read.format("colkit").option("columns", ",".join(COLUMNS)).load(source)

    def parquet() -> Any:
        return spark.read.format("parquet-by-arrow").option("paths", json.dumps(paths)).load()

    every = "select count(id), sum(qty), count(amount), max(region) from rows"
    group = "select region, count(*), max(amount) from rows where qty < 50 group by region"
    yield [
        ("all values", asked(ours, every), asked(parquet, every)),
        ("by group", asked(ours, group), asked(parquet, group)),
    ]
    spark.stop()


ENGINES = {"pyarrow": of_pyarrow, "duckdb": of_duckdb, "dask": of_dask, "ray": of_ray, "spark": of_spark}


def main() -> None:
    engine, folder, rounds = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    paths = parquet_of(folder)
    table = colkit.open(folder / "orders")
    arrow_bytes = table.to_arrow(COLUMNS).nbytes
    results = []
    # What an engine says of itself goes elsewhere.
    with contextlib.redirect_stdout(sys.stderr):
        for tasks in ENGINES[engine](table, paths):
            for name, ours, parquet in tasks:
                samples: dict[str, list[float]] = {"colkit": [], "parquet": []}
                for turn in range(rounds + 1):
                    answers = {}
                    pair = [("colkit", ours), ("parquet", parquet)]
                    for source, work in pair if turn % 2 == 0 else reversed(pair):
                        start = time.perf_counter()
                        answers[source] = work()
                        # The first turn warms up.
                        if turn > 0:
                            samples[source].append(time.perf_counter() - start)
                    if answers["colkit"] != answers["parquet"]:
                        raise AssertionError(f"{engine}, {name}: {answers}")
                size = arrow_bytes if name == "all values" else None
                results.append({"task": name, **samples, "bytes": size})
    print("RESULT " + json.dumps(results), flush=True)


if __name__ == "__main__":
    main()
