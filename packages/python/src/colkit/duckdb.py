"""
Tables in DuckDB. It asks for the columns of a query and hands its conditions over; what has no counterpart here is
applied in this process, before DuckDB sees a row.
"""

from __future__ import annotations

from typing import Any

from ._dataset import ColkitDataset
from ._table import Table, open as open_table


def dataset(source: object, **options: Any) -> ColkitDataset:
    """
    What queries name by its Python variable: `orders = dataset("orders.cna")`, `duckdb.sql("from orders")`. `source`: a
    `Table`, or what `colkit.open` takes, with its `options`.
    """
    return ColkitDataset(source if isinstance(source, Table) else open_table(source, **options))


def register(connection: Any, name: str, source: object, **options: Any) -> None:
    """Makes it a view of a connection, by a name."""
    connection.register(name, dataset(source, **options))
