"""Makes the files of this folder with pyarrow 26, small: python make.py. What is expected of them stands in parquet-
types.test.ts, nested.test.ts and arrow-file.test.ts."""

import base64
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.ipc as ipc
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as pe

here = Path(__file__).parent


class KeysInClear(pe.KmsClient):
    """Keys that are no secret."""

    def __init__(self, config):
        super().__init__()

    def wrap_key(self, key, name):
        return base64.b64encode(key)

    def unwrap_key(self, wrapped, name):
        return base64.b64decode(wrapped)


def moment(year, micros=0):
    return datetime(year, 1, 2, 3, 4, 5) + timedelta(microseconds=micros)


# INT96 far from 1970 on both sides.
pq.write_table(
    pa.table(
        {
            "at": pa.array(
                [moment(1), moment(1677, 7), None, moment(1969, 999_999), moment(2263, 1), moment(9999, 123_456)],
                pa.timestamp("us"),
            )
        }
    ),
    here / "int96.parquet",
    use_deprecated_int96_timestamps=True,
)

pq.write_table(
    pa.table(
        {
            "utc": pa.array([moment(2024), None], pa.timestamp("us", "Europe/Paris")),
            "local": pa.array([moment(2024), None], pa.timestamp("ms")),
            "time_ms": pa.array([86_399_999, None], pa.time32("ms")),
            "time_us": pa.array([86_399_999_999, None], pa.time64("us")),
            "time_ns": pa.array([86_399_999_999_000, None], pa.time64("ns")),
            "half": pa.array(np.array([-0.5, 65504], np.float16)),
            "fixed": pa.array([b"abc", None], pa.binary(3)),
            "none": pa.nulls(2),
            "price": pa.array([Decimal("590.31"), None], pa.decimal128(38, 18)),
            "list": pa.array([[1, 2], None], pa.list_(pa.int32())),
            "struct": pa.array([{"a": 1}, None], pa.struct({"a": pa.int8()})),
        }
    ),
    here / "types.parquet",
)

pq.write_table(
    pa.table({"ns": pa.array([1_500], pa.time64("ns")), "n": pa.array([7], pa.int32())}), here / "nanoseconds.parquet"
)

# A data page v2 of nulls alone, whose values are compressed to no bytes at all: pyarrow writes one byte there, other
# writers none. So the uncompressed page is said to be compressed.
for codec, number in (("snappy", 1), ("lz4_raw", 7), ("zstd", 6)):
    path = here / f"empty-page-v2-{codec}.parquet"
    pq.write_table(
        pa.table({"x": pa.array([None], pa.float32())}),
        path,
        data_page_version="2.0",
        compression="none",
        use_dictionary=False,
        write_statistics=False,
        store_schema=False,
    )
    data = bytearray(path.read_bytes())
    offset = pq.ParquetFile(path).metadata.row_group(0).column(0).data_page_offset
    # The field is_compressed of the page header: a boolean field is its type, 1 true and 2 false.
    flag = data.index(b"\x12", offset)
    data[flag] = 0x11
    # The field codec of the column's metadata, an i32 behind path_in_schema (one text, "x").
    place = data.index(b"\x19\x18\x01x\x15", offset) + 5
    assert data[place] == 0
    data[place] = 2 * number
    path.write_bytes(data)
    assert pq.read_table(path).to_pydict() == {"x": [None]}, path

# LZ4's block of nothing is one byte: the dictionary of a column of nulls.
pq.write_table(
    pa.table({"x": pa.array([None, None], pa.string())}),
    here / "empty-dictionary-lz4.parquet",
    compression="lz4",
    store_schema=False,
)

# Arrow files that are valid and not read.
table = pa.table({"n": pa.array([1, 2], pa.int32()), "s": pa.array(["x", None])})
for codec in ("lz4", "zstd"):
    feather.write_feather(table, here / f"{codec}.feather", compression=codec)
    with ipc.new_stream(
        here / f"{codec}-stream.arrow", table.schema, options=ipc.IpcWriteOptions(compression=codec)
    ) as stream:
        stream.write_table(table)
feather.write_feather(table, here / "v1.feather", version=1)
runs = pa.table(
    {
        "n": pa.array([1, 2], pa.int32()),
        "r": pa.RunEndEncodedArray.from_arrays(pa.array([2], pa.int32()), pa.array([7])),
    }
)
with ipc.new_file(here / "run-ends.arrow", runs.schema) as file:
    file.write_table(runs)

# What the errors about them tell to write, by the calls that they name.
feather.write_feather(table, here / "as-told-1.feather", compression="uncompressed")
with ipc.new_stream(here / "as-told-2.arrow", table.schema, options=ipc.IpcWriteOptions(compression=None)) as stream:
    stream.write_table(table)
feather.write_feather(table, here / "as-told-3.feather", version=2, compression="uncompressed")
with ipc.new_file(here / "as-told-4.arrow", runs.drop_columns("r").schema) as file:
    file.write_table(runs.drop_columns("r"))

# Parquet: one column encrypted and the footer plain, all of it encrypted, and a codec for each word of the errors.
keys = pe.CryptoFactory(lambda config: KeysInClear(config))
connection = pe.KmsConnectionConfig()
for name, plain in (("encrypted-column", True), ("encrypted", False)):
    encryption = pe.EncryptionConfiguration(
        footer_key="footer", column_keys={"column": ["secret"]}, plaintext_footer=plain, double_wrapping=False
    )
    columns = pa.table({"n": pa.array([1, 2], pa.int32()), "secret": pa.array([3, 4], pa.int32())})
    with pq.ParquetWriter(
        here / f"{name}.parquet",
        columns.schema,
        encryption_properties=keys.file_encryption_properties(connection, encryption),
    ) as writer:
        writer.write_table(columns)
for codec in ("zstd", "snappy"):
    pq.write_table(
        pa.table({"x": pa.array([0.5, None], pa.float32())}), here / f"as-told-{codec}.parquet", compression=codec
    )

# Buffers of several LZ4 blocks, each of which refers to those before it.
blocks = pa.table({"n": pa.array(np.arange(70_000) // 1000)})
for codec in ("lz4", "zstd"):
    feather.write_feather(blocks, here / f"{codec}-blocks.feather", compression=codec)

# Polars writes categories and enumerations as dictionaries of views.
import polars as pl  # noqa: E402

pl.DataFrame(
    {
        "c": pl.Series(["red", "green", None, "a much longer text than twelve", "red"], dtype=pl.Categorical),
        "e": pl.Series(["x", "y", "x", None, "y"], dtype=pl.Enum(["x", "y"])),
        "s": ["a", "b", None, "a much longer text than twelve", "é"],
    }
).write_ipc(here / "polars-categorical.arrow")

# LZ4 frames whose blocks have checksums.
pl.DataFrame(
    {
        "n": [row % 7 for row in range(300)],
        "s": [None if row % 3 == 0 else f"row {row % 5}" for row in range(300)],
    }
).write_ipc(here / "polars-lz4.feather", compression="lz4")

# Integers that apache-arrow does not know.
pl.DataFrame({"i128": pl.Series([1, 2**100, None, -5], dtype=pl.Int128)}).write_ipc(here / "polars-int128.arrow")

# big-endian.arrow and big-endian-stream.arrow are generated_null of apache/arrow-testing (1.0.0-bigendian): pyarrow
# writes none.

# two-level-lists.parquet: lists and records without nulls in them, as pyarrow writes them, whose footer then called
# `repeated group list` and `required element` one `repeated array`, as parquet-avro does: the levels are the same.
# repeated-fields.parquet is repeated_primitive_no_list of apache/parquet-testing.

# Decimals of two widths and times of all units, with nulls, in two batches.
plain = pa.table(
    {
        "price": pa.array([Decimal("1.10"), None, Decimal("-12345678901234.56")], pa.decimal128(16, 2)),
        "large": pa.array([Decimal(10**38 - 1), Decimal(-1), None], pa.decimal128(38, 0)),
        "wide": pa.array([Decimal("1.5"), Decimal("-2.25"), None], pa.decimal256(60, 2)),
        "s": pa.array([1, None, 86_399], pa.time32("s")),
        "ms": pa.array([1, None, 86_399_999], pa.time32("ms")),
        "us": pa.array([1, None, 86_399_999_999], pa.time64("us")),
        "ns": pa.array([1000, None, 86_399_999_999_000], pa.time64("ns")),
    }
)
with ipc.new_stream(here / "decimals-and-times.arrow", plain.schema) as writer:
    writer.write_table(plain, max_chunksize=2)

# Lists, structs and maps, one in the other, in two row groups and two batches.
nested = {
    "list": pa.array([[1, 2], None, [], [3, None]], pa.list_(pa.int32())),
    "struct": pa.array(
        [{"a": 1, "b": 'x"\n'}, None, {"a": None, "b": ""}, {"a": 2, "b": "\ufeffż😀"}],
    ),
    "map": pa.array(
        [[("k", 1), ("__proto__", 5), ("2", 3), ("", 4)], None, [], [("é,1", None)]], pa.map_(pa.string(), pa.int32())
    ),
    "map of lists": pa.array([[(7, ["a"])], None, [], [(2**60, [None])]], pa.map_(pa.int64(), pa.list_(pa.string()))),
    "lists of lists": pa.array([[["a"]], None, [[]], [[None, "b"], None]], pa.list_(pa.list_(pa.string()))),
    "list of structs": pa.array(
        [
            [{"x": 1.5, "t": datetime(2020, 1, 2, 3, 4, 5, 6)}],
            None,
            [],
            [None, {"x": float("nan"), "t": None}, {"x": float("-inf"), "t": None}],
        ],
        pa.list_(pa.struct([("x", pa.float64()), ("t", pa.timestamp("us"))])),
    ),
    "struct of both": pa.array(
        [
            {"q": [1, 2], "w": {"e": True, "r": b"ab"}},
            {"q": None, "w": None},
            {"q": [], "w": {"e": None, "r": None}},
            None,
        ],
        pa.struct([("q", pa.list_(pa.int64())), ("w", pa.struct([("e", pa.bool_()), ("r", pa.binary())]))]),
    ),
    "deep": pa.array([{"a": [{"b": [{"c": [2**63 - 1, -5]}]}]}, None, {"a": []}, {"a": [None, {"b": None}]}]),
    "pairs": pa.array([[1.5, 2], None, [0, -0.0], [None, 3]], pa.list_(pa.float32(), 2)),
    "decimals": pa.array([[Decimal("1.10")], None, [], [None]], pa.list_(pa.decimal128(20, 2))),
    "days": pa.array([[date(2020, 1, 2)], None, [], [date(1, 1, 1)]], pa.list_(pa.date32())),
    "times": pa.array([[time(0, 0, 1)], None, [], [None]], pa.list_(pa.time64("us"))),
    "large": pa.array([[2**64 - 1], None, [], [0]], pa.list_(pa.uint64())),
    "flat": pa.array([1, None, 3, 4], pa.int32()),
}
pq.write_table(pa.table(nested), here / "nested.parquet", row_group_size=3)
more = {
    "halves": pa.array([[1.5], None, [float("inf")], [None]], pa.list_(pa.float16())),
    "codes": pa.array([["a", "b"], None, ["a"], [None]], pa.list_(pa.dictionary(pa.int8(), pa.string()))),
    "large lists": pa.array([["x"], None, [], ["y"]], pa.large_list(pa.large_string())),
    "nulls": pa.array([[None], None, [], [None, None]], pa.list_(pa.null())),
}
with ipc.new_stream(here / "nested.arrow", pa.table({**nested, **more}).schema) as writer:
    writer.write_table(pa.table({**nested, **more}), max_chunksize=3)
# Names and keys that no object of JavaScript keeps as they are, or that paths confuse.
names = pa.table(
    {
        "dots": pa.array([{"b.c": 1, "b": {"c": 2}}, {"b.c": 3, "b": None}]),
        "proto": pa.array([{"__proto__": 1, "10": 2, "2": 3}, None]),
        "numbers": pa.array([[(10, "a"), (2, "b"), (10, None)], []], pa.map_(pa.int64(), pa.string())),
        "texts": pa.array([[("10", [1]), ("2", []), ("10", None)], None], pa.map_(pa.string(), pa.list_(pa.int8()))),
        "by moment": pa.array([[(datetime(2020, 1, 1), 1)], []], pa.map_(pa.timestamp("us"), pa.int32())),
        "by struct": pa.array([[({"a": "x"}, 1.5)], []], pa.map_(pa.struct([("a", pa.string())]), pa.float64())),
        "maps": pa.array([[[(2, True)], None], []], pa.list_(pa.map_(pa.uint8(), pa.bool_()))),
    }
)
pq.write_table(names, here / "nested-names.parquet")
with ipc.new_file(here / "nested-names.arrow", names.schema) as writer:
    writer.write_table(names)
