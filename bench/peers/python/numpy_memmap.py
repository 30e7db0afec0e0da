"""numpy over memory-mapped raw columns: `take` is its fastest way, `fancy` is what most people write."""

from _protocol import Peer, PeerSuite, Task, Workload, serve
from _raw import RAW
from _w1 import COLUMNS, Inputs, column_path, metadata_bytes


def load():
    import numpy

    return {"numpy": numpy.__version__}


def prepare(variant, context):
    import numpy as np

    inputs = Inputs(context)
    paths = [column_path(context, name) for name, _ in COLUMNS]
    columns = {}

    def open_all():
        # A plain array over the mapping: indexing the memmap class itself costs more.
        return {name: np.asarray(np.memmap(path, dtype=dtype, mode="r")) for (name, dtype), path in zip(COLUMNS, paths)}

    def metadata(opened):
        return {"metadata": metadata_bytes(len(opened["price"]), opened, [array.dtype for array in opened.values()])}

    out = {"price": np.empty(len(inputs.random), "<f8"), "qty": np.empty(len(inputs.random), "<i4")}

    def take(rows, names=("price", "qty")):
        return {name: np.take(columns[name], rows) for name in names}

    def take_into(rows):
        # mode='clip' is the one that writes straight into `out`; all rows are valid here.
        for name, array in out.items():
            np.take(columns[name], rows, out=array, mode="clip")
        return out

    def fancy(rows, names=("price", "qty")):
        return {name: columns[name][rows] for name in names}

    def mask_take():
        return take(np.flatnonzero(inputs.mask))

    def same(result):
        return result

    gather = take if variant == "take" else fancy
    every = [name for name, _ in COLUMNS]
    sets = inputs.small_sets
    tasks = {
        "a-new": Task(lambda _: gather(inputs.random), same),
        "b-new": Task(lambda _: gather(inputs.sorted), same),
        "e-small": Task(lambda i: gather(sets[i % len(sets)], every), same),
        "g-mask": Task((lambda _: mask_take()) if variant == "take" else (lambda _: fancy(inputs.mask)), same),
    }
    if variant == "take":
        tasks |= {
            "a-into": Task(lambda _: take_into(inputs.random), same),
            "b-into": Task(lambda _: take_into(inputs.sorted), same),
            "c-copy": Task(lambda _: {name: columns[name][inputs.slice].copy() for name in ("price", "qty")}, same),
            "c-view": Task(lambda _: {name: columns[name][inputs.slice] for name in ("price", "qty")}, same),
            "d-copy": Task(lambda _: {"price": columns["price"].copy()}, same),
            "d-view": Task(lambda _: {"price": columns["price"][:]}, same),
            "f-open": Task(lambda _: open_all(), metadata),
        }
    return Workload(files=paths, load=lambda: columns.update(open_all()), tasks=tasks, close=columns.clear)


SUITES = {"w1": PeerSuite(variants=["take", "fancy"], prepare=prepare), "raw": RAW}
serve(Peer(name="numpy-memmap", load=load, suites=SUITES))
