"""Conditions of pyarrow: what is pushed keeps at least what pyarrow keeps, of the values where languages differ."""

from __future__ import annotations

import itertools
import tempfile
import unittest
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

import colkit
from colkit._expression import fields_of, predicate_of
from tests.support import colkit as command

NAN = float("nan")
ROWS = pa.table(
    {
        "i": pa.array([0, 1, -1, None, 2**53 + 1, -(2**63), 2**63 - 1], pa.int64()),
        "f": pa.array([0.0, -0.0, NAN, None, 0.1, float("inf"), 2.0**53], pa.float64()),
        "s": pa.array([0.0, -0.0, NAN, None, 0.1, float("-inf"), 16777216.0], pa.float32()),
        "t": pa.array(["", "a", 'quo"te', None, "\U0001f600", "｡", "`"], pa.string()),
        "b": pa.array([True, False, None, True, False, None, True]),
        "m": pa.array([0, 1, None, -1, 10**15, 2, 3], pa.timestamp("us")),
        "odd `name`": pa.array(range(7), pa.int32()),
    }
)
LITERALS = {
    "i": [0, 1, -1, 2**53, 2**53 + 1, 0.5, 2.0**53, -(2**63)],
    "f": [0.0, NAN, 0.1, 1, 2**53 + 1, float("inf"), pa.scalar(0.1, pa.float32())],
    "s": [0.0, NAN, 0.1, pa.scalar(0.1, pa.float32()), 16777217, 1],
    "t": ["", "a", 'quo"te', "\U0001f600", "｡"],
    "b": [True, False],
    "m": [pa.scalar(1, pa.timestamp("us")), pa.scalar(0, pa.timestamp("s"))],
}
OPERATORS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")


def conditions() -> list[pc.Expression]:
    simple = [
        getattr(pc.field(name), operator)(pc.scalar(value) if not isinstance(value, pa.Scalar) else value)
        for name, values in LITERALS.items()
        for value in values
        for operator in OPERATORS
    ]
    simple += [pc.field("i").isin([0, 2**53 + 1]), pc.field("t").isin(["a", "", None]), pc.field("f").isin([NAN, 0.0])]
    simple += [pc.field("t").is_null(), pc.field("f").is_null(nan_is_null=True), pc.field("f").is_valid()]
    simple += [pc.starts_with(pc.field("t"), "q"), pc.field("odd `name`") > 3, pc.field("i") < pc.field("odd `name`")]
    simple += [pc.scalar(5) > pc.field("i"), pc.field("i") == pc.scalar(pa.scalar(None, pa.int64()))]
    pairs = list(itertools.pairwise(simple[::5]))
    return [
        *simple,
        *(~each for each in simple),
        *(one & other for one, other in pairs),
        *(one | other for one, other in pairs),
        *(~(one & other) for one, other in pairs),
        *(~(one | ~other) for one, other in pairs),
    ]


class ConditionsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.temporary = tempfile.TemporaryDirectory()
        folder = Path(cls.temporary.name)
        with pa.ipc.new_file(folder / "rows.arrow", ROWS.schema) as writer:
            writer.write_table(ROWS)
        command("convert", str(folder / "rows.arrow"), str(folder / "rows.cna"))
        cls.table = colkit.open(folder / "rows.cna")
        cls.schema = cls.table.schema

    @classmethod
    def tearDownClass(cls) -> None:
        cls.temporary.cleanup()

    def test_pushed_conditions_lose_no_row(self) -> None:
        number = pc.field("odd `name`")
        pushed = 0
        for condition in conditions():
            with self.subTest(str(condition)):
                try:
                    expected = set(ROWS.filter(condition)["odd `name`"].to_pylist())
                except pa.ArrowInvalid:
                    continue
                self.assertEqual(set(self.table.where(condition).to_arrow()["odd `name`"].to_pylist()), expected)
                translated = predicate_of(condition, self.schema)
                if translated is None:
                    continue
                pushed += 1
                kept = set(self.table.where(*translated).to_arrow()["odd `name`"].to_pylist())
                self.assertLessEqual(expected, kept, translated)
        self.assertGreater(pushed, 300)
        self.assertEqual(fields_of((number > 1) & (pc.field("i") < number)), ["odd `name`", "i"])

    def test_units_that_arrow_has_not_lose_no_row(self) -> None:
        try:
            import numpy
        except ImportError:
            self.skipTest("numpy is not here")
        ticks = numpy.array([0, 1, -1, 40, -300, 9999], "int64")
        dtypes = [f"M8[{unit}]" for unit in ("Y", "M", "W", "D", "h", "m", "25s", "us")]
        dtypes += [f"m8[{unit}]" for unit in ("W", "D", "h", "m", "s", "us")]
        path = str(Path(self.temporary.name) / "units.")
        numpy.savez(f"{path}npz", **{each: ticks.view(each) for each in dtypes})
        command("convert", f"{path}npz", f"{path}cstore")
        with colkit.open(f"{path}cstore") as table:
            rows = table.to_arrow()
            for name in dtypes:
                for value in rows[name]:
                    for operator in OPERATORS:
                        condition = getattr(pc.field(name), operator)(value)
                        self.assertEqual(table.where(condition).to_arrow(), rows.filter(condition), str(condition))


    def test_most_of_what_engines_ask_is_pushed_as_it_is(self) -> None:
        for condition, text in (
            (pc.field("i") > 5, "`i` > @p0"),
            ((pc.field("t") == "a") & pc.field("b").is_valid(), "(`t` == @p0) and (`b` is not null)"),
            (~(pc.field("i") >= 5), "not (`i` >= @p0)"),
            ((pc.field("i") > 5) & (pc.utf8_length(pc.field("t")) == 1), "`i` > @p0"),
        ):
            translated = predicate_of(condition, self.schema)
            self.assertEqual(translated and translated[0], text)
        for condition in (
            (pc.field("i") > 5) | (pc.utf8_length(pc.field("t")) == 1),
            ~pc.field("i").isin([1]),
            pc.field("s") == 0.1,
            pc.field("f") == 2**53 + 1,
        ):
            self.assertIsNone(predicate_of(condition, self.schema), str(condition))


if __name__ == "__main__":
    unittest.main()
