"""pyarrow over an uncompressed Feather file that is mapped: `take` of its columns."""

import os

from _protocol import Peer, PeerSuite, Task, Workload, serve
from _published import read_columns, read_rows


def load():
    import numpy
    import pyarrow

    return {"pyarrow": pyarrow.__version__, "numpy": numpy.__version__}


def table_path(context):
    return os.path.join(context["ownDirectory"], "published.feather")


def build(context):
    import pyarrow as pa
    from pyarrow import feather

    columns = read_columns(context)
    feather.write_feather(pa.table(columns), table_path(context), compression="uncompressed", chunksize=1 << 30)


def prepare(variant, context):
    import pyarrow as pa
    from pyarrow import feather

    pa.set_cpu_count(int(variant[-1]))
    ids, random = (pa.array(read_rows(context, name)) for name in ("ids", "random"))
    table = []

    def take(rows):
        return {name: column.to_numpy() for name, column in zip(table[0].column_names, table[0].take(rows).columns)}

    def same(found):
        return found

    path = table_path(context)
    return Workload(
        files=[path],
        load=lambda: table.append(feather.read_table(path, memory_map=True)),
        tasks={"columns": Task(lambda _: take(ids), same), "random": Task(lambda _: take(random), same)},
        close=table.clear,
    )


SUITES = {"published": PeerSuite(variants=["take-x2"], prepare=prepare, build=build)}
serve(Peer(name="pyarrow-feather", load=load, suites=SUITES))
