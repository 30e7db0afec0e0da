"""The suite `published` for Python's colstore, over files that it wrote itself."""

import os

from _protocol import PeerSuite, Task, Workload
from _published import parameter, read_columns, read_rows


def path_of(context, cut):
    return os.path.join(context["ownDirectory"], "published" if cut == "files" else f"published-{cut}.cstore")


def piece_of(folder, piece):
    return os.path.join(folder, f"part_{piece}.cstore")


def build(context):
    import colstore

    columns = read_columns(context)
    colstore.store(columns, path_of(context, "one"), mode="recreate", show_progress=False).close()
    os.makedirs(path_of(context, "files"), exist_ok=True)
    pieces = parameter(context, "pieces")
    rows = parameter(context, "rows") // pieces
    writer = colstore.recreate(path_of(context, "records"))
    for piece in range(pieces):
        some = {name: column[piece * rows : (piece + 1) * rows] for name, column in columns.items()}
        writer.write(some)
        colstore.store(some, piece_of(path_of(context, "files"), piece), mode="recreate", show_progress=False).close()
    writer.close()


def prepare(variant, context):
    import colstore

    cut, threads = variant.split("-x")
    colstore.set_gather_thread_cap(int(threads))
    colstore.set_max_workers(int(threads))
    ids = read_rows(context, "ids")
    random = read_rows(context, "random")
    count, rows = parameter(context, "smallRecords"), parameter(context, "smallRows")
    columns = read_columns(context)
    small = [
        {name: column[record * rows : (record + 1) * rows].copy() for name, column in columns.items()}
        for record in range(count)
    ]
    del columns
    streamed = os.path.join(context["ownDirectory"], f"small-{variant}.cstore")
    table = []

    def write_small(_):
        with colstore.recreate(streamed) as writer:
            for record in small:
                writer.write(record)

    def read_small(_):
        with colstore.open(streamed) as written:
            return written[:, list(small[0])].dict()

    def same(found):
        return found

    tasks = {
        "columns": Task(lambda _: table[0][ids].dict(), same),
        "records": Task(lambda _: table[0][ids].recarray(), lambda found: {"bytes": found.view("u1")}),
        "random": Task(lambda _: table[0][random].dict(), same),
    }
    if cut == "one":
        tasks["write-small"] = Task(write_small, read_small)
    path = path_of(context, cut)
    pieces = range(parameter(context, "pieces"))
    return Workload(
        files=[piece_of(path, piece) for piece in pieces] if cut == "files" else [path],
        load=lambda: table.append(colstore.open(path)),
        tasks=tasks,
        close=lambda: table.pop().close(),
    )


PUBLISHED = PeerSuite(variants=["one-x2", "one-x1", "records-x2", "files-x2"], prepare=prepare, build=build)
