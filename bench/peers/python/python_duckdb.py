"""DuckDB in Python: over its own database file, and over a Parquet file that it wrote with zstd; answers as Arrow."""

from _corpus import corpus_suites
from _protocol import Peer, serve


def load():
    import duckdb

    return {"duckdb": duckdb.__version__}


def name_of(column):
    return '"' + column.replace('"', '""') + '"'


def write(variant, table, path):
    import duckdb

    if variant == "own":
        with duckdb.connect(path) as connection:
            connection.register("source", table)
            connection.execute("CREATE TABLE stored AS FROM source")
    else:
        with duckdb.connect() as connection:
            connection.register("source", table)
            connection.execute(f"COPY source TO '{path}' (FORMAT parquet, COMPRESSION zstd)")


def session(variant, path, question):
    import duckdb
    import pyarrow as pa

    kept = {}
    own = variant == "own"
    source = "stored" if own else f"read_parquet('{path}')"
    numbered = source if own else f"read_parquet('{path}', file_row_number = true)"
    row = "rowid" if own else "file_row_number"
    pair = ", ".join(map(name_of, question.pair))

    def connected(of=path):
        return duckdb.connect(of, read_only=True) if own else duckdb.connect()

    def ask(sql, parameters=None):
        return kept["connection"].execute(sql, parameters).to_arrow_table()

    def opened():
        with connected() as connection:
            names = [each[0] for each in connection.execute(f"DESCRIBE FROM {source}").fetchall()]
            return connection.execute(f"SELECT count(*) FROM {source}").fetchone()[0], names

    def rows(condition, parameters):
        return ask(f"SELECT {columns()} FROM {numbered} WHERE {condition} ORDER BY {row}", parameters)

    def columns():
        return ", ".join(map(name_of, question.types))

    def where(asked, operator, value):
        return lambda: ask(
            f"SELECT {pair} FROM {source} WHERE {name_of(asked['column'])} {operator} ?", [asked[value]]
        )

    def grouped():
        by, total = name_of(question.group["by"]), name_of(question.group["sum"])
        return ask(f"SELECT {by}, sum({total})::DOUBLE FROM {source} GROUP BY {by}")

    def pair_of(target):
        with connected(target) as connection:
            stored = "stored" if own else f"read_parquet('{target}')"
            return connection.execute(f"SELECT {pair} FROM {stored}").to_arrow_table()

    taken = pa.array(question.take)
    return {
        "load": lambda: kept.update(connection=connected()),
        "pair_of": pair_of,
        "tasks": {
            "open": opened,
            "pair": lambda: ask(f"SELECT {pair} FROM {source}"),
            "dense": lambda: ask(f"SELECT {columns()} FROM {source}"),
            "slice": lambda: rows(f"{row} BETWEEN ? AND ?", [question.start, question.end - 1]),
            "take": lambda: rows(f"{row} IN (SELECT unnest(?))", [taken.to_pylist()]),
            "filter": where(question.filter, ">", "above") if question.filter else None,
            "text": where(question.text, "=", "equals") if question.text else None,
            "group": grouped if question.group else None,
        },
    }


serve(Peer(name="python-duckdb", load=load, suites=corpus_suites(["own", "parquet"], ".duck", write, session)))
