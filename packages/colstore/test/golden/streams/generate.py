# Writes the files of this folder with colstore 0.5.1: python generate.py FOLDER
import numpy as np, colstore, sys, os, shutil

out = sys.argv[1]
os.makedirs(out, exist_ok=True)


def recs():
    r = []
    for i, n in enumerate([3, 0, 5, 1]):
        r.append(
            {
                "b": (np.arange(n) % 2 == 0),
                "i1": np.arange(n, dtype="i1") - 2,
                "i2": (np.arange(n) * 100 - 150).astype("i2"),
                "i4": np.arange(n, dtype="i4") * -7 + i,
                "i8": np.arange(n, dtype="i8") * (2**53 + 1) - 5,
                "u1": np.arange(n, dtype="u1") + 200,
                "u2": np.arange(n, dtype="u2") + 60000,
                "u4": np.arange(n, dtype="u4") + 4000000000,
                "u8": np.arange(n, dtype="u8") + np.uint64(2**63),
                "f2": (np.arange(n) * -1.5).astype("f2"),
                "f4": np.arange(n, dtype="f4") / 3,
                "f8": np.array([0.5, -0.0, np.nan, np.inf, 1e300][:n]) if i == 2 else np.arange(n) * 0.1,
                "M": np.array(
                    ["2020-01-01", "NaT", "1969-12-31T23:00", "2100-01-01", "2000-01-01"][:n]
                    if i == 2
                    else ["2024-05-05"] * n,
                    dtype="M8[us]",
                ),
                "m": np.arange(n).astype("m8[s]"),
                "S": np.array([b"abc", b"", b"z\0q", b"12345", b"x"][:n], dtype="S5"),
                "U": np.array(["é😀", "", "a", "bcd", "xy"][:n], dtype="U3"),
                'é😀"': np.arange(n, dtype="f4"),
            }
        )
    return r


for st in (False, True):
    t = "stats" if st else "plain"
    p = f"{out}/stream-{t}.cstore"
    if os.path.exists(p):
        os.remove(p)
    with colstore.create(p, statistics=st) as w:
        for r in recs():
            w.write(r)
    shutil.copy(p, f"{out}/updated-{t}-stats.cstore")
    shutil.copy(p, f"{out}/updated-{t}-plain.cstore")
    for st2 in (False, True):
        q = f"{out}/updated-{t}-" + ("stats" if st2 else "plain") + ".cstore"
        with colstore.update(q, statistics=st2) as w:
            for r in recs()[2:]:
                w.write(r)
colstore.compact(f"{out}/updated-stats-stats.cstore", out=f"{out}/compacted.cstore", show_progress=False)
colstore.concat(
    [f"{out}/stream-plain.cstore", f"{out}/updated-plain-stats.cstore"], out=f"{out}/concatenated.cstore"
).close()
