"""The suite `published` (suites/published/published.ts) for Python's peers: its inputs."""

import os

NAMES = [f"c{number}" for number in range(8)]


def read_columns(context):
    import numpy as np

    return {name: np.fromfile(os.path.join(context["directory"], name + ".bin"), dtype="<f8") for name in NAMES}


def read_rows(context, name):
    import numpy as np

    return np.fromfile(os.path.join(context["directory"], name + ".bin"), dtype="<i4").astype(np.int64)


def parameter(context, name):
    return int(context["parameters"][name])
