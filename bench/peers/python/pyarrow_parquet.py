"""pyarrow over a Parquet file that it wrote with zstd; everything stays in Arrow."""

import os

from _corpus import corpus_suites
from _protocol import Peer, serve
from _tables import table_suites, table_workload


def load():
    import numpy
    import pyarrow

    return {"pyarrow": pyarrow.__version__, "numpy": numpy.__version__}


def path_of(inputs):
    return os.path.join(inputs.context["ownDirectory"], "zstd.parquet")


def write(table, path):
    import pyarrow.parquet as pq

    pq.write_table(table, path, compression="zstd")


def prepare(_variant, inputs):
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    path = path_of(inputs)
    question = inputs.question
    pair, filtered, group = question["pair"], question["filter"], question["group"]
    start, rows = inputs.slice
    take = pa.array(inputs.take)

    def opened():
        metadata = pq.read_metadata(path)
        return metadata.num_rows, metadata.schema.to_arrow_schema().names

    def matching():
        expression = (pc.field(filtered["number"]) > filtered["above"]) & (
            pc.field(filtered["text"]) == filtered["equals"]
        )
        return pq.read_table(path, columns=filtered["project"], filters=expression)

    def grouped():
        table = pq.read_table(path, columns=[group["by"], group["sum"]])
        return (
            table.group_by(group["by"]).aggregate([(group["sum"], "sum")]).select([group["by"], group["sum"] + "_sum"])
        )

    tasks = {
        "pair": lambda: pq.read_table(path, columns=pair),
        "dense": lambda: pq.read_table(path),
        "slice": lambda: pq.read_table(path).slice(start, rows),
        "take": lambda: pq.read_table(path).take(take),
        "filter": matching,
        "group": grouped,
    }
    return table_workload(
        inputs, path, ".parquet", write, opened, tasks, lambda made: pq.read_table(made, columns=pair)
    )


def build(_variant, inputs):
    write(inputs.table(), path_of(inputs))


def write_corpus(variant, table, path):
    import pyarrow.parquet as pq

    options = {"smallest": {"compression": "zstd", "compression_level": 22}}.get(variant, {"compression": variant})
    pq.write_table(table, path, **options)


def corpus(_variant, path, question):
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    filtered, text, group = question.filter, question.text, question.group

    def opened():
        metadata = pq.read_metadata(path)
        return metadata.num_rows, metadata.schema.to_arrow_schema().names

    def grouped():
        table = pq.read_table(path, columns=[group["by"], group["sum"]])
        return (
            table.group_by(group["by"]).aggregate([(group["sum"], "sum")]).select([group["by"], group["sum"] + "_sum"])
        )

    def where(expression):
        return lambda: pq.read_table(path, columns=question.project, filters=expression)

    return {
        "load": lambda: None,
        "pair_of": lambda target: pq.read_table(target, columns=question.pair),
        "tasks": {
            "open": opened,
            "pair": lambda: pq.read_table(path, columns=question.pair),
            "dense": lambda: pq.read_table(path),
            "slice": lambda: pq.read_table(path).slice(question.start, question.end - question.start),
            "take": lambda: pq.read_table(path).take(pa.array(question.take)),
            "filter": where(pc.field(filtered["column"]) > filtered["above"]) if filtered else None,
            "text": where(pc.field(text["column"]) == text["equals"]) if text else None,
            "group": grouped if group else None,
        },
    }


VARIANTS = {"w2": ["zstd"], "formats-flights": ["zstd"], "formats-orders": ["zstd"]}
CORPUS = corpus_suites(["snappy", "zstd", "smallest"], ".parquet", write_corpus, corpus)
serve(Peer(name="pyarrow-parquet", load=load, suites={**table_suites(VARIANTS, build, prepare), **CORPUS}))
