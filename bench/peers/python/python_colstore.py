"""Python's own colstore, over a file that it wrote itself; x2 and x1 are its threads."""

import os

from _protocol import Peer, PeerSuite, Task, Workload, serve
from _published_colstore import PUBLISHED
from _w1 import COLUMNS, Inputs, column_path, metadata_bytes

PAIR = ["price", "qty"]
EVERY = [name for name, _ in COLUMNS]


def load():
    import colstore
    import numpy

    return {"colstore": colstore.__version__, "numpy": numpy.__version__}


def table_path(context):
    return os.path.join(context["ownDirectory"], "table.cstore")


def build(context):
    import colstore
    import numpy as np

    columns = {name: np.fromfile(column_path(context, name), dtype=dtype) for name, dtype in COLUMNS}
    colstore.store(columns, table_path(context), show_progress=False).close()


def prepare(variant, context):
    import colstore

    threads = int(variant[1:])
    colstore.set_gather_thread_cap(threads)
    colstore.set_max_workers(threads)
    inputs = Inputs(context)
    path = table_path(context)
    table = []

    def read(rows, names=PAIR, copy=True):
        return table[0][rows, names].dict(copy=copy)

    def open_and_close(_):
        opened = colstore.open(path)
        found = (opened.n_rows, list(opened.columns), [opened.dtypes[name] for name in opened.columns])
        opened.close()
        return found

    def same(result):
        return result

    sets = inputs.small_sets
    tasks = {
        "a-new": Task(lambda _: read(inputs.random), same),
        "b-new": Task(lambda _: read(inputs.sorted), same),
        "c-copy": Task(lambda _: read(inputs.slice), same),
        "c-view": Task(lambda _: read(inputs.slice, copy=False), same),
        "d-copy": Task(lambda _: {"price": table[0].array("price")}, same),
        "d-view": Task(lambda _: {"price": table[0].array("price", copy=False)}, same),
        "e-small": Task(lambda i: read(sets[i % len(sets)], EVERY), same),
        "f-open": Task(open_and_close, lambda found: {"metadata": metadata_bytes(*found)}),
        "g-mask": Task(lambda _: read(inputs.mask), same),
    }
    return Workload(
        files=[path], load=lambda: table.append(colstore.open(path)), tasks=tasks, close=lambda: table.pop().close()
    )


SUITES = {"w1": PeerSuite(variants=["x2", "x1"], prepare=prepare, build=build), "published": PUBLISHED}
serve(Peer(name="python-colstore", load=load, suites=SUITES))
