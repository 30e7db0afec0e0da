"""Tables as they are opened, what is asked of them, and the pieces of work that they are cut into."""

from __future__ import annotations

import copy
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from ._arrow_stream import StreamFile
from ._bridge import Bridge, Reply, bridge
from ._errors import ArgumentError, ClosedError
from ._expression import fields_of, predicate_of
from ._node import NodeSettings
from ._values import absolute, encode_params

if TYPE_CHECKING:
    import pandas
    import polars

Predicate = str | pc.Expression


class Field(NamedTuple):
    """A column as the file has it; `dtype` is numpy's name."""

    name: str
    dtype: str
    nullable: bool


@dataclass(frozen=True)
class _Request:
    """What opens the table, here and in other processes."""

    open: Mapping[str, object]
    settings: NodeSettings


class _Opened:
    """The table in the server, and in the next one where that one is gone; never another content."""

    def __init__(self, request: _Request) -> None:
        self.request = request
        self.is_closed = False
        self._lock = threading.Lock()
        self._bridge: Bridge | None = None
        self._number = 0
        self._finalizer: weakref.finalize | None = None
        self.head: dict[str, Any] = {}
        self.at()

    def at(self) -> tuple[Bridge, int]:
        if self.is_closed:
            raise ClosedError("ERR_CLOSED", "the table is closed")
        with self._lock:
            running = bridge(self.request.settings)
            if running is not self._bridge:
                head, _ = running.ask("open", **self.request.open)
                self.head = head
                if self.request.open.get("pin") is None and head["pin"] is not None:
                    self.request = replace(self.request, open={**self.request.open, "pin": head["pin"]})
                self._bridge, self._number = running, head["table"]
                self._finalizer = weakref.finalize(self, running.tell, "close", table=head["table"])
                self._finalizer.atexit = False
            return running, self._number

    def close(self) -> None:
        self.is_closed = True
        if self._finalizer is not None:
            self._finalizer()

    def __reduce__(self) -> tuple[type, tuple[_Request]]:
        if self.request.open.get("pin") is None:
            # Of many files: other processes see the same ones, or are told.
            running, number = self.at()
            pin = running.ask("pin", table=number)[0]["pin"]
            self.request = replace(self.request, open={**self.request.open, "pin": pin})
        return (_Opened, (self.request,))


@dataclass(frozen=True)
class _Query:
    """Steps in the protocol's words, and a condition that is applied to what comes."""

    steps: tuple[dict[str, object], ...] = ()
    #: Applied in this process, to what is read; its columns are read for it.
    condition: pc.Expression | None = None
    #: Columns of the result, where a condition needs more of them.
    columns: tuple[str, ...] | None = None

    def with_step(self, **step: object) -> _Query:
        return replace(self, steps=(*self.steps, step))


class _Rows:
    """What tables and splits have in common: rows that can be narrowed down and read."""

    _query: _Query

    def _from(self) -> tuple[Bridge, dict[str, object]]:
        raise NotImplementedError

    def _narrowed(self, query: _Query) -> Any:
        narrowed = copy.copy(self)
        narrowed._query = query
        return narrowed

    def _ask(self, method: str, **more: object) -> Reply:
        running, source = self._from()
        return running.ask(method, **{"from": source}, steps=list(self._query.steps), **more)

    def select(self, *columns: str) -> Any:
        """These columns, in this order; nothing is read. Raises UnknownColumnError when it is read."""
        query = self._query
        names = [columns[0]] if len(columns) == 1 and isinstance(columns[0], str) else list(columns)
        if not all(isinstance(each, str) for each in names):
            raise ArgumentError("ERR_ARGUMENT", f"columns: expected names but found {names!r}")
        if query.condition is None:
            return self._narrowed(query.with_step(select=names))
        needed = fields_of(query.condition) or []
        inner = replace(query.with_step(select=list(dict.fromkeys([*names, *needed]))), columns=tuple(names))
        return self._narrowed(inner)

    def where(self, predicate: Predicate, params: Mapping[str, object] | None = None, **more: object) -> Any:
        """
        The rows that a predicate keeps: a text of colkit's language with its parameters (`where("x > @least",
        least=5)`), or a condition of pyarrow (`pc.field("x") > 5`), which keeps what pyarrow keeps. Nothing is read.
        """
        if isinstance(predicate, str):
            if self._query.condition is not None:
                raise ArgumentError("ERR_ARGUMENT", "where: a text goes in front of conditions of pyarrow")
            return self._narrowed(
                self._query.with_step(where=predicate, params=encode_params({**(params or {}), **more}))
            )
        if not isinstance(predicate, pc.Expression):
            raise ArgumentError(
                "ERR_ARGUMENT", f"where: expected a text or an expression of pyarrow but found {predicate!r}"
            )
        query = self._query
        pushed = predicate_of(predicate, self._raw_schema())
        if pushed is not None:
            query = query.with_step(where=pushed[0], params=encode_params(pushed[1]))
        condition = predicate if query.condition is None else query.condition & predicate
        return self._narrowed(replace(query, condition=condition))

    def slice(self, start: int | None = None, end: int | None = None) -> Any:
        """Rows [start, end) of what is left; negative numbers count from the end."""
        if self._query.condition is not None:
            raise ArgumentError("ERR_ARGUMENT", "slice: goes in front of conditions of pyarrow")
        return self._narrowed(self._query.with_step(slice={"start": start, "end": end}))

    def _raw_schema(self) -> pa.Schema:
        return pa.ipc.read_schema(self._ask("schema")[1])

    @property
    def schema(self) -> pa.Schema:
        """Of what is read, as Arrow has it."""
        schema = self._raw_schema()
        columns = self._query.columns
        return schema if columns is None else pa.schema([schema.field(each) for each in columns])

    def count(self) -> int:
        """How many rows; reads what the predicate asks about, and nothing else."""
        if self._query.condition is not None:
            return sum(batch.num_rows for batch in self.select(*fields_of(self._query.condition) or ()).batches())
        return int(self._ask("count")[0]["count"])

    def explain(self) -> str:
        """What will be read, and which statistics prove that something need not be."""
        return str(self._ask("explain")[0]["text"])

    def batches(
        self,
        columns: Sequence[str] | None = None,
        where: Predicate | None = None,
        params: Mapping[str, object] | None = None,
        rows: int | None = None,
    ) -> pa.RecordBatchReader:
        """
        The rows, a record batch at a time: 16 MiB at most, whatever the row groups of the file, and one made ahead.
        `rows`: of a batch, at most (65,536 by default). Close it, or let go of it, to give it up.
        """
        view = self
        if where is not None:
            view = view.where(where, params)
        elif params:
            raise ArgumentError("ERR_ARGUMENT", "params: without `where`")
        if columns is not None:
            view = view.select(*columns)
        return view._batches(rows)

    def _batches(self, rows: int | None) -> pa.RecordBatchReader:
        running, source = self._from()
        sizes = {} if rows is None else {"rows": rows}
        head, _ = running.ask("read", **{"from": source}, steps=list(self._query.steps), **sizes)
        reader = pa.ipc.open_stream(pa.PythonFile(StreamFile(running, head["stream"]), mode="r"))
        condition, columns = self._query.condition, self._query.columns
        if condition is None:
            return reader
        schema = reader.schema if columns is None else pa.schema([reader.schema.field(each) for each in columns])
        return pa.RecordBatchReader.from_batches(schema, _filtered(reader, condition, schema))

    def to_arrow(
        self,
        columns: Sequence[str] | None = None,
        where: Predicate | None = None,
        params: Mapping[str, object] | None = None,
    ) -> pa.Table:
        """All rows in memory."""
        return self.batches(columns, where, params).read_all()

    def to_pandas(
        self,
        columns: Sequence[str] | None = None,
        where: Predicate | None = None,
        params: Mapping[str, object] | None = None,
        **options: Any,
    ) -> pandas.DataFrame:
        """All rows as a frame; `options` are those of pyarrow's `to_pandas`."""
        return self.to_arrow(columns, where, params).to_pandas(**options)

    def to_polars(
        self,
        columns: Sequence[str] | None = None,
        where: Predicate | None = None,
        params: Mapping[str, object] | None = None,
    ) -> polars.DataFrame:
        """All rows as a frame of Polars."""
        import polars

        return polars.from_arrow(self.to_arrow(columns, where, params))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.batches().__arrow_c_stream__(requested_schema)


def _filtered(
    reader: pa.RecordBatchReader, condition: pc.Expression, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    for batch in reader:
        kept = batch.filter(condition)
        if kept.num_rows > 0:
            yield kept.select(schema.names)


class Table(_Rows):
    """
    A file, or many as one table: lazy, closed by `close()` or `with`, and when nobody has it any more. It can be
    pickled: other processes open the same content, or raise IoError ERR_FILE_CHANGED.
    """

    def __init__(self, opened: _Opened) -> None:
        self._opened = opened
        self._query = _Query()

    def _from(self) -> tuple[Bridge, dict[str, object]]:
        running, number = self._opened.at()
        return running, {"table": number}

    @property
    def fields(self) -> list[Field]:
        """Of the file, whatever is selected."""
        return [Field(each["name"], each["dtype"], each["nullable"]) for each in self._opened.head["fields"]]

    @property
    def row_count(self) -> int:
        """Of the file, whatever is filtered."""
        return int(self._opened.head["rowCount"])

    @property
    def file_count(self) -> int:
        return int(self._opened.head["files"])

    @property
    def version(self) -> int:
        """Of a committed dataset, from 1 on; 0 of other files."""
        return int(self._opened.head["version"])

    def splits(
        self,
        columns: Sequence[str] | None = None,
        where: Predicate | None = None,
        params: Mapping[str, object] | None = None,
        target_bytes: int | None = None,
    ) -> list[Split]:
        """
        Pieces of work for other processes, in the order of the rows, pinned to the version of their files: row groups
        of one file each, of `target_bytes` stored bytes (64 MiB), without those where nothing can match. A `.syr` file
        is one piece.
        """
        view = self
        if where is not None:
            view = view.where(where, params)
        if columns is not None:
            view = view.select(*columns)
        query, settings = view._query, view._opened.request.settings
        if not view._opened.head["splits"]:
            return [Split(None, view._opened, query, settings)]
        sizes = {} if target_bytes is None else {"targetBytes": target_bytes}
        head, _ = view._ask("splits", **sizes)
        return [Split({**each, "fields": head["fields"]}, None, query, settings) for each in head["splits"]]

    def to_dataset(self) -> pa.dataset.Dataset:
        """What DuckDB and others query as a dataset of pyarrow: they hand their columns and conditions over."""
        from ._dataset import ColkitDataset

        return ColkitDataset(self)

    def close(self) -> None:
        self._opened.close()

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getstate__(self) -> dict[str, object]:
        return {"_opened": self._opened, "_query": self._query}

    def __repr__(self) -> str:
        return f"<colkit.Table {self._opened.request.open['source']!r}: {self.row_count} rows>"


class Split(_Rows):
    """Rows of one file as a piece of work: pickle it, read it wherever the file has the same name."""

    def __init__(
        self, described: dict[str, Any] | None, opened: _Opened | None, query: _Query, settings: NodeSettings
    ) -> None:
        self._described = described
        self._opened = opened
        self._query = query
        self._settings = settings

    def _from(self) -> tuple[Bridge, dict[str, object]]:
        if self._opened is not None:
            running, number = self._opened.at()
            return running, {"table": number}
        return bridge(self._settings), {"split": self._described}

    @property
    def path(self) -> str:
        """Of the file; where it was opened with several, the one that this piece is of."""
        if self._described is None:
            return str(self._opened.request.open["source"]) if self._opened is not None else ""
        return str(self._described["path"])

    @property
    def row_count(self) -> int:
        """Before a condition is looked at."""
        if self._described is None:
            return int(self._opened.head["rowCount"]) if self._opened is not None else 0
        rows = self._described["rows"]
        return int(rows["end"]) - int(rows["start"])

    @property
    def byte_length(self) -> int | None:
        """Stored bytes of the columns that are asked for; None where nobody knows."""
        return None if self._described is None else self._described.get("byteLength")

    def __dask_tokenize__(self) -> object:
        source = self._described if self._opened is None else dict(self._opened.request.open)
        return (source, self._query.steps, str(self._query.condition), self._query.columns)

    def __repr__(self) -> str:
        return f"<colkit.Split {self.path!r}: {self.row_count} rows>"


def open(  # noqa: A001: the verb of all formats here
    source: object,
    *,
    version: int | None = None,
    partitions: bool = True,
    on_mismatch: str | None = None,
    node: str | None = None,
    package: str | None = None,
) -> Table:
    """
    Opens a file, folder, pattern, manifest or list of them (`.cna`, `.cstore`, `.syr`), by path or URL.

    `version`: of a committed dataset. `partitions=False`: folders such as region=EMEA are no columns. `on_mismatch`:
    "strict" or "drop", where files have other columns. `node`: the program, else COLKIT_NODE, else the one on the
    PATH. `package`: the folder of the npm package colkit, else COLKIT_PACKAGE, else a node_modules from here upwards,
    else the `colkit` on the PATH. Raises ColkitError.
    """
    request: dict[str, object] = {"source": absolute(source)}
    if version is not None:
        request["version"] = version
    if not partitions:
        request["partitions"] = False
    if on_mismatch is not None:
        request["onMismatch"] = on_mismatch
    return Table(_Opened(_Request(request, NodeSettings(node, package))))
