"""Vortex (vortex-data): files by its default and its compact writer, read as Arrow tables. (This file cannot be
called vortex: Python would import it in place of the library.)"""

import os

from _corpus import corpus_suites
from _protocol import Peer, serve
from _tables import table_suites, table_workload


def load():
    import importlib.metadata

    import vortex  # noqa: F401 - whether it can be imported is the question

    return {"vortex-data": importlib.metadata.version("vortex-data")}


def path_of(variant, inputs):
    return os.path.join(inputs.context["ownDirectory"], variant + ".vortex")


def write(variant, table, path):
    import vortex as vx

    options = vx.io.VortexWriteOptions.compact() if variant == "compact" else vx.io.VortexWriteOptions.default()
    options.write(table, path)


def prepare(variant, inputs):
    import numpy as np
    import pyarrow as pa
    import vortex as vx
    import vortex.expr as ve

    path = path_of(variant, inputs)
    question = inputs.question
    pair, filtered, group = question["pair"], question["filter"], question["group"]
    start, rows = inputs.slice
    # It takes rows in their order only: they are sorted before, and put back into the order that was asked for after,
    # which is timed.
    kept = {}

    def file():
        return kept["file"]

    def opened():
        found = vx.open(path)
        return len(found), found.dtype.to_arrow_schema().names

    def read(found, columns=None, **options):
        return found.scan(columns, **options).to_arrow().read_all()

    def matching():
        number = inputs.dtypes[filtered["number"]]
        # A comparison wants both sides in one type.
        above = (
            float(filtered["above"])
            if number == "float64"
            else ve.literal(vx.int_(int(number[3:])), filtered["above"])
        )
        expression = (ve.column(filtered["number"]) > above) & (ve.column(filtered["text"]) == filtered["equals"])
        return read(file(), filtered["project"], expr=expression)

    def taken():
        order = np.argsort(inputs.take)
        table = read(file(), indices=vx.array(pa.array(inputs.take[order].astype(np.uint64))))
        back = np.empty(len(order), dtype=np.int64)
        back[order] = np.arange(len(order))
        # Arrow cannot take from its string views.
        return table.cast(
            pa.schema(
                [
                    field.with_type(pa.string()) if pa.types.is_string_view(field.type) else field
                    for field in table.schema
                ]
            )
        ).take(pa.array(back))

    def sliced():
        return read(file(), indices=vx.array(pa.array(np.arange(start, start + rows, dtype=np.uint64))))

    def grouped():
        table = read(file(), [group["by"], group["sum"]])
        return (
            pa.table({"text": table.column(group["by"]).cast(pa.string()), "total": table.column(group["sum"])})
            .group_by("text")
            .aggregate([("total", "sum")])
            .select(["text", "total_sum"])
        )

    tasks = {
        "pair": lambda: read(file(), pair),
        "dense": lambda: read(file()),
        "slice": sliced,
        "take": taken,
        "filter": matching,
        "group": grouped,
    }
    return table_workload(
        inputs,
        path,
        ".vortex",
        lambda table, target: write(variant, table, target),
        opened,
        tasks,
        lambda made: read(vx.open(made), pair),
        load=lambda: kept.update(file=vx.open(path)),
    )


def build(variant, inputs):
    write(variant, inputs.table(), path_of(variant, inputs))


def corpus(_variant, path, question):
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
    import vortex as vx
    import vortex.expr as ve

    kept = {}

    def opened():
        found = vx.open(path)
        return len(found), found.dtype.to_arrow_schema().names

    def read(columns=None, **options):
        return kept["file"].scan(columns, **options).to_arrow().read_all()

    def rows(indices):
        return read(indices=vx.array(pa.array(indices.astype(np.uint64))))

    def above():
        column, bound = question.filter["column"], question.filter["above"]
        kind = question.types[column]
        # A comparison wants both sides in one type.
        literals = {"double": float, "float": float}
        made = literals[kind](bound) if kind in literals else ve.literal(vx.int_(int(kind[3:])), bound)
        return read(question.project, expr=ve.column(column) > made)

    def equal():
        return read(question.project, expr=ve.column(question.text["column"]) == question.text["equals"])

    def grouped():
        by, total = question.group["by"], question.group["sum"]
        table = read([by, total])
        keys = table.column(by)
        keys = keys.cast(pa.string()) if pa.types.is_string_view(keys.type) else keys
        return (
            pa.table({"key": keys, "total": table.column(total)})
            .group_by("key")
            .aggregate([("total", "sum")])
            .select(["key", "total_sum"])
        )

    return {
        "load": lambda: kept.update(file=vx.open(path)),
        "pair_of": lambda target: vx.open(target).scan(question.pair).to_arrow().read_all(),
        "tasks": {
            "open": opened,
            "pair": lambda: read(question.pair),
            "dense": read,
            "slice": lambda: rows(np.arange(question.start, question.end)),
            "take": lambda: rows(question.take),
            "filter": above if question.filter else None,
            "text": equal if question.text else None,
            "group": grouped if question.group else None,
        },
    }


VARIANTS = {
    "w2": ["default", "compact"],
    "formats-flights": ["default", "compact"],
    "formats-orders": ["default", "compact"],
}
CORPUS = corpus_suites(["default", "compact"], ".vortex", write, corpus)
serve(Peer(name="vortex-file", load=load, suites={**table_suites(VARIANTS, build, prepare), **CORPUS}))
