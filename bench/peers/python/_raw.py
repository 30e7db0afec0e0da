"""The questions of the suite `raw` (suites/raw/raw.ts) in numpy, over memory-mapped columns."""

import os

from _protocol import PeerSuite, Task, Workload

COLUMNS = {"f8": "<f8", "f4": "<f4", "f2": "<f2", "i8": "<i8", "i4": "<i4", "text": "S8"}


def prepare(_variant, context):
    import numpy as np

    paths = {name: os.path.join(context["directory"], name + ".bin") for name in COLUMNS}
    columns = {}

    def open_all():
        for name, dtype in COLUMNS.items():
            columns[name] = np.asarray(np.memmap(paths[name], dtype=dtype, mode="r"))

    def value(found):
        return {"value": np.array([found], dtype="<f8")}

    def sums(found):
        return {"sums": np.ascontiguousarray(found, dtype="<f8")}

    def by_text():
        # As numbers that order as the texts do: ten times as fast as the texts themselves.
        keys = columns["text"].view(">u8").astype("<u8")
        _, codes = np.unique(keys, return_inverse=True)
        return np.bincount(codes, weights=columns["f8"])

    def max_text():
        # numpy finds no largest text: the largest of the numbers that order as the texts do.
        return int(columns["text"].view(">u8").max()).to_bytes(8, "big")

    c = columns
    tasks = {
        "sum-f8": Task(lambda _: c["f8"].sum(), value),
        "sum-f4": Task(lambda _: c["f4"].sum(dtype="f8"), value),
        "sum-f2": Task(lambda _: c["f2"].sum(dtype="f8"), value),
        "sum-i8": Task(lambda _: c["i8"].sum(), value),
        "sum-i4": Task(lambda _: c["i4"].sum(), value),
        "max-f8": Task(lambda _: c["f8"].max(), value),
        "max-f4": Task(lambda _: c["f4"].max(), value),
        "min-i8": Task(lambda _: c["i8"].min(), value),
        "below-i8": Task(lambda _: np.count_nonzero(c["i8"] < 500_000_000), value),
        "two-terms": Task(lambda _: np.count_nonzero((c["f8"] > 90) & (c["i4"] == 3)), value),
        "arithmetic": Task(lambda _: np.count_nonzero(c["f8"] * 2 + c["i4"] > 150), value),
        "text": Task(lambda _: np.count_nonzero(c["text"] == b"text 077"), value),
        "text-below": Task(lambda _: np.count_nonzero(c["text"] < b"text 077"), value),
        "max-text": Task(lambda _: max_text(), lambda found: {"value": np.frombuffer(found, dtype="u1")}),
        "sum-where": Task(lambda _: c["f8"][c["f4"] > 0].sum(), value),
        "by-i4": Task(lambda _: np.bincount(c["i4"], weights=c["f8"]), sums),
        "by-text": Task(lambda _: by_text(), sums),
    }
    return Workload(files=list(paths.values()), load=open_all, tasks=tasks, close=columns.clear)


RAW = PeerSuite(variants=["take"], prepare=prepare)
