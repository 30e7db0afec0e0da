"""The raw tables of W2 and of the cross-format suites for Python peers, and what libraries give back in the raw form:
the twin of suites/table/files.ts and suites/table/outputs.ts."""

import json
import os

from _protocol import PeerSuite, Task, Workload

RAW = {"int64": "<i8", "datetime64[ms]": "<i8", "float64": "<f8", "int32": "<i4", "int16": "<i2", "string": "<u2"}
NULL_CODE = 0xFFFF


class Inputs:
    def __init__(self, context):
        import numpy as np

        self.context = context
        with open(os.path.join(context["directory"], "question.json"), encoding="utf-8") as file:
            self.question = json.load(file)
        self.columns = self.question["columns"]
        self.dtypes = {column["name"]: column["dtype"] for column in self.columns}
        self.dictionaries = {name: self._json(name) for name, dtype in self.dtypes.items() if dtype == "string"}
        self.take = np.fromfile(os.path.join(context["directory"], "take.bin"), dtype="<i4").astype(np.int64)
        start = int(context["parameters"]["sliceStart"])
        self.slice = (start, int(context["parameters"]["sliceRows"]))
        self.csv = os.path.join(context["directory"], "orders.csv") if context["parameters"].get("csv") == 1 else None

    def _json(self, name):
        with open(os.path.join(self.context["directory"], name + ".json"), encoding="utf-8") as file:
            return json.load(file)

    def table(self):
        """The raw columns as an Arrow table; texts as texts."""
        import numpy as np
        import pyarrow as pa

        arrays = []
        for column in self.columns:
            raw = np.fromfile(
                os.path.join(self.context["directory"], column["name"] + ".bin"), dtype=RAW[column["dtype"]]
            )
            if column["dtype"] == "string":
                codes = pa.array(raw.astype(np.int32), mask=raw == NULL_CODE)
                arrays.append(
                    pa.DictionaryArray.from_arrays(codes, pa.array(self.dictionaries[column["name"]])).cast(pa.string())
                )
            elif column["dtype"] == "datetime64[ms]":
                arrays.append(pa.array(raw.view("datetime64[ms]")))
            else:
                arrays.append(pa.array(raw))
        return pa.table(arrays, names=[column["name"] for column in self.columns])

    def read_csv(self, path):
        """A CSV file with pyarrow's reader, in the table's types."""
        import pyarrow as pa
        import pyarrow.csv

        types = {
            "int64": pa.int64(),
            "datetime64[ms]": pa.timestamp("ms"),
            "float64": pa.float64(),
            "int32": pa.int32(),
            "int16": pa.int16(),
            "string": pa.string(),
        }
        options = pa.csv.ConvertOptions(
            column_types={name: types[dtype] for name, dtype in self.dtypes.items()}, strings_can_be_null=True
        )
        return pa.csv.read_csv(path, convert_options=options)


def table_outputs(inputs, table):
    """An Arrow table's columns in the raw form."""
    import pyarrow as pa
    import pyarrow.compute as pc

    outputs = {}
    for name in table.column_names:
        dtype = inputs.dtypes[name]
        column = table.column(name)
        column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        if dtype == "string":
            codes = pc.index_in(column.cast(pa.string()), value_set=pa.array(inputs.dictionaries[name]))
            outputs[name] = codes.fill_null(NULL_CODE).to_numpy(zero_copy_only=False).astype(RAW[dtype])
        elif dtype == "datetime64[ms]":
            outputs[name] = (
                column.cast(pa.timestamp("ms")).to_numpy(zero_copy_only=False).astype("datetime64[ms]").view("<i8")
            )
        else:
            outputs[name] = column.to_numpy(zero_copy_only=False).astype(RAW[dtype])
    return outputs


def group_outputs(inputs, table):
    """A table of texts and totals as whole sums, in the order of the texts."""
    import numpy as np

    texts, totals = (table.column(i).to_pylist() for i in range(2))
    sums = dict(zip(texts, totals))
    group = inputs.question["group"]
    return {
        "sums": np.array([round(sums[text] * group["scale"]) for text in inputs.dictionaries[group["by"]]], dtype="<f8")
    }


def open_outputs(row_count, names):
    return {"metadata": json.dumps([row_count, list(names)], separators=(",", ":")).encode()}


def table_suites(variants, build, prepare):
    """`build(variant, inputs)` writes a variant's file; `prepare(variant, inputs)` gives its workload."""

    def suite(names):
        def build_all(context):
            inputs = Inputs(context)
            for name in names:
                build(name, inputs)

        return PeerSuite(
            variants=names, build=build_all, prepare=lambda variant, context: prepare(variant, Inputs(context))
        )

    return {name: suite(names) for name, names in variants.items()}


class Temporary:
    """Paths for files that timed tasks write; a new one removes the one before."""

    def __init__(self, inputs, ending):
        self.count, self.path = 0, None
        self.stem = os.path.join(inputs.context["ownDirectory"], f"written-{os.getpid()}-")
        self.ending = ending

    def next(self):
        self.remove()
        self.count += 1
        self.path = f"{self.stem}{self.count}{self.ending}"
        return self.path

    def remove(self):
        if self.path is not None and os.path.exists(self.path):
            os.remove(self.path)


def table_workload(inputs, path, ending, write, opened, tasks, read_pair, load=lambda: None):
    """`write(table, path)` writes a file; `opened()` gives rows and names; `tasks` maps names to functions that give
    Arrow tables; `read_pair(path)` reads the two columns of a file."""
    temporary = Temporary(inputs, ending)
    kept = {}

    def outputs(table):
        return table_outputs(inputs, table)

    def raw_table():
        if "table" not in kept:
            kept["table"] = inputs.table()
        return kept["table"]

    def written(make):
        def run(_):
            target = temporary.next()
            write(make(), target)
            return target

        return Task(run, lambda target: outputs(read_pair(target)))

    found = {name: Task(lambda _, run=run: run(), outputs) for name, run in tasks.items() if name != "group"}
    found["group"] = Task(lambda _: tasks["group"](), lambda table: group_outputs(inputs, table))
    found["write"] = written(raw_table)
    if inputs.csv is not None:
        found["csv"] = written(lambda: inputs.read_csv(inputs.csv))
    found["open"] = Task(lambda _: opened(), lambda of: open_outputs(*of))
    return Workload(files=[path], load=load, tasks=found, close=temporary.remove)
