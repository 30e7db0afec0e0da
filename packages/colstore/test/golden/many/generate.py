"""Folders of shards as Python's colstore writes them (0.5.1): python generate.py FOLDER; shards/ is the older
golden."""

import sys

import colstore
import numpy as np

folder = sys.argv[1]
with colstore.appender(folder, shard_size=4, statistics=True) as appender:
    for start in range(0, 10, 2):
        rows = np.arange(start, start + 2)
        appender.write(
            {
                "id": rows.astype("<i8"),
                "price": (rows * 1.5).astype("<f4"),
                "name": np.array([f"n{row % 3}" for row in rows], dtype="S4"),
                "at": rows.astype("<M8[s]"),
            }
        )
colstore.append(
    folder,
    {
        "id": np.array([100], "<i8"),
        "price": np.array([-0.0], "<f4"),
        "name": np.array([b"last"], "S4"),
        "at": np.array(["NaT"], "<M8[s]"),
    },
    name="shard_{index:03d}.cstore",
)
