"""Arrays as NumPy writes them: python generate.py, in this folder."""

import numpy as np

columns = {
    "i": np.array([1, -2, 2**53 + 1], "<i8"),
    "big": np.array([1, 2, 3], ">i4"),
    "f": np.array([0.5, np.nan, -0.0], "<f8"),
    "h": np.array([1, 2, 65504], "<f2"),
    "b": np.array([True, False, True]),
    "s": np.array([b"a", b"", b"abc"]),
    "u": np.array(["\u00e9", "\U0001f600", ""]),
    "t": np.array(["2024-01-01", "NaT", "1969-12-31"], "datetime64[D]"),
}
np.savez("stored.npz", **columns)
np.savez_compressed("deflated.npz", **columns)
np.save("records.npy", np.array([(1, b"ab"), (2, b"c")], [("n", "<i4"), ("s", "S2")]))
np.save("matrix.npy", np.zeros((2, 2)))
# What is not asked for may be of any type, shape and length; names may have slashes.
np.savez(
    "beside-others.npz",
    **{"a/x": np.arange(2), "b/x": np.arange(2) + 5},
    matrix=np.zeros((2, 2)),
    more=np.arange(3),
    objects=np.array([None, 1], object),
)
# Padding between the fields; header in Latin-1.
aligned = np.zeros(2, np.dtype([("\u00e9", "i1"), ("it's", "f8"), ("c\\", "i2")], align=True))
aligned[:] = [(1, 2.5, 3), (2, 3.5, 4)]
np.save("aligned.npy", aligned)
