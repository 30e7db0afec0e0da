"""W1's raw files and inputs for Python peers: what suites/w1-data.ts wrote."""

import json
import os

COLUMNS = [("price", "<f8"), ("qty", "<i4"), ("ts", "<i8"), ("score", "<f4"), ("flag", "|u1")]


def column_path(context, name):
    return os.path.join(context["directory"], name + ".bin")


class Inputs:
    """Rows as 64-bit integers, numpy's own index type."""

    def __init__(self, context):
        import numpy as np

        def read(name, dtype):
            return np.fromfile(os.path.join(context["directory"], name + ".bin"), dtype=dtype)

        parameters = context["parameters"]
        self.row_count = int(parameters["rows"])
        self.random = read("random", "<i4").astype(np.int64)
        self.sorted = read("sorted", "<i4").astype(np.int64)
        self.small_sets = list(
            read("small", "<i4").astype(np.int64).reshape(int(parameters["smallSets"]), int(parameters["smallRows"]))
        )
        self.mask = read("mask", "|u1").astype(bool)
        start = int(parameters["sliceStart"])
        self.slice = slice(start, start + int(parameters["sliceRows"]))


def metadata_bytes(row_count, names, dtypes):
    return json.dumps([row_count, list(names), [str(dtype) for dtype in dtypes]], separators=(",", ":")).encode()
