"""The tasks of the corpus in Python: the twin of suites/corpus. A peer says how it writes, opens, reads and groups."""

import json
import os

from _protocol import PeerSuite, Task, Workload
from _tables import open_outputs

TABLES = [
    "flights",
    "lines",
    "nyc",
    "weather",
    "cities",
    "soldiers",
    "survey",
    "values",
    "laboratory",
    "ratings",
    "tweets",
    "stocks",
    "log",
    "words",
    "trades",
    "documents",
    "genes",
    "wide",
]


class Question:
    def __init__(self, context):
        import numpy as np

        self.directory = context["directory"]
        with open(os.path.join(self.directory, "question.json"), encoding="utf-8") as file:
            asked = json.load(file)
        self.pair, self.project = asked["pair"], asked["project"]
        self.start, self.end = asked["slice"]
        self.types = asked["types"]
        self.filter, self.text, self.group = (asked.get(name) for name in ("filter", "text", "group"))
        self.take = np.sort(np.fromfile(os.path.join(self.directory, "take.bin"), dtype="<i4").astype(np.int64))

    def table(self):
        import pyarrow as pa

        with pa.memory_map(os.path.join(self.directory, "table.arrow")) as source:
            table = pa.ipc.open_file(source).read_all()
            return copied(table)


def copied(table):
    """In memory of its own, as a program has it."""
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return pa.ipc.open_stream(sink.getvalue()).read_all()


def outputs(table):
    """An Arrow table as arrays that are the same for all peers."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    found = {}
    for field, column in zip(table.schema, table.columns):
        column = pa.concat_arrays(column.chunks) if column.num_chunks != 1 else column.chunk(0)
        kind = field.type
        valid = column.is_valid().to_numpy(zero_copy_only=False)
        found[field.name + " valid"] = valid.astype("u1")
        if pa.types.is_boolean(kind):
            found[field.name] = pc.fill_null(column, False).to_numpy(zero_copy_only=False).astype("u1")
        elif pa.types.is_timestamp(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind):
            column = column.cast(pa.int64()) if pa.types.is_timestamp(kind) else column
            found[field.name] = np.ascontiguousarray(pc.fill_null(column, 0).to_numpy(zero_copy_only=False))
        else:
            texts = ["" if each is None else each for each in column.cast(pa.string()).to_pylist()]
            found[field.name + " characters"] = np.array([len(each) for each in texts], dtype="<i4")
            found[field.name] = "".join(texts).encode()
    return found


def group_outputs(table):
    """A table of keys and totals, in the order of the keys' texts."""
    import numpy as np

    keys, totals = (table.column(i).to_pylist() for i in range(2))
    text = lambda key: (
        "" if key is None else "=" + (str(int(key)) if isinstance(key, float) and key == int(key) else str(key))
    )
    groups = sorted((text(key), float(f"{float(total or 0):.12g}")) for key, total in zip(keys, totals))
    return {
        "keys": "\n".join(key for key, _ in groups).encode(),
        "totals": np.array([total for _, total in groups], dtype="<f8"),
    }


def corpus_suites(variants, ending, write, session):
    """`write(variant, table, path)` writes a file; `session(variant, path, question)` gives `tasks` by name, `load`."""

    def path_of(variant, context):
        return os.path.join(context["ownDirectory"], variant + ending)

    def build(context):
        table = Question(context).table()
        for variant in variants:
            path = path_of(variant, context)
            if os.path.exists(path):
                os.remove(path)
            write(variant, table, path)

    def prepare(variant, context):
        question = Question(context)
        path = path_of(variant, context)
        found = session(variant, path, question)
        written = os.path.join(context["ownDirectory"], f"written-{variant}-{os.getpid()}{ending}")
        kept = {}

        def write_again(_):
            if "table" not in kept:
                kept["table"] = question.table()
            if os.path.exists(written):
                os.remove(written)
            write(variant, kept["table"], written)
            return written

        def close():
            if os.path.exists(written):
                os.remove(written)

        ways = {"open": lambda of: open_outputs(*of), "group": group_outputs}
        tasks = {
            name: Task(lambda _, run=run: run(), ways.get(name, outputs))
            for name, run in found["tasks"].items()
            if run is not None
        }
        tasks["write"] = Task(write_again, lambda target: outputs(found["pair_of"](target)))
        return Workload(files=[path], load=found["load"], tasks=tasks, close=close)

    suite = PeerSuite(variants=variants, build=build, prepare=prepare)
    return {f"corpus-{table}": suite for table in TABLES}
