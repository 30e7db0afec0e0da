"""W3's tasks for anything that has the original's `File`: add_item, get_item, get_array, num_items, and a `with`
block that closes it."""

import os

from _protocol import PeerSuite, Task, Workload

SETS = {
    "a": [("features", "<f8"), ("label", "<i8")],
    "b": [("label", "<i4"), ("fixed", "<f4"), ("var", "<i4")],
}
STACKED = {"a": "features", "b": "fixed"}
BATCH = 32
MANY_KEYS = ["k0", "k1", "k2", "k3", "k4", "k5"]


def item_suites(file_class):
    """`file_class()` gives the class: it is imported only when it is used."""
    return {"w3a": items("a", file_class), "w3b": items("b", file_class), "w3m": many(file_class)}


def items_path(context):
    return os.path.join(context["ownDirectory"], "items.syr")


class Inputs:
    """The items in memory, and the order that they are asked for in."""

    def __init__(self, name, context):
        import numpy as np

        def read(column, dtype):
            return np.fromfile(os.path.join(context["directory"], column + ".bin"), dtype=dtype)

        self.order = read("order", "<i4").tolist()
        self.count = len(self.order)
        self.stacked = STACKED[name]
        self.columns = {key: read(key, dtype) for key, dtype in SETS[name]}

        def starts(key, values):
            if key == "var":
                return np.concatenate([[0], np.cumsum(read("lengths", "<i4"))]).tolist()
            return range(0, len(values) + 1, len(values) // self.count)

        self.starts = {key: starts(key, values) for key, values in self.columns.items()}

    def item(self, i):
        return {key: values[self.starts[key][i] : self.starts[key][i + 1]] for key, values in self.columns.items()}

    def batch(self, iteration):
        start = (iteration * BATCH) % (self.count - BATCH + 1)
        return self.order[start : start + BATCH]


def write(path, inputs, file_class):
    with file_class()(path, "w") as file:
        for i in range(inputs.count):
            file.add_item(inputs.item(i))
    return path


def items(name, file_class):
    def prepare(_variant, context):
        import numpy as np

        inputs = Inputs(name, context)
        path = items_path(context)
        opened = []
        count = inputs.count

        def get(i):
            return opened[0].get_item(inputs.order[i % count])

        def stack(i):
            return np.stack([opened[0].get_array(item, inputs.stacked) for item in inputs.batch(i)])

        def open_and_count(_):
            with file_class()(path, "r") as file:
                return file.num_items()

        def write_new(i):
            target = os.path.join(context["ownDirectory"], f"written-{os.getpid()}.syr")
            if os.path.exists(target):
                os.remove(target)
            return write(target, inputs, file_class)

        def written(target):
            with file_class()(target, "r") as file:
                return {
                    "items": np.array([file.num_items()], "<i4"),
                    "features": file.get_array(count - 1, inputs.stacked),
                }

        tasks = {
            "view": Task(get, dict),
            "get": Task(get, dict),
            "label": Task(lambda i: {"label": opened[0].get_array(inputs.order[i % count], "label")}, dict),
            "batch-new": Task(stack, lambda data: {"data": data}),
            "open": Task(open_and_count, lambda found: {"items": np.array([found], "<i4")}),
            "write": Task(write_new, written),
        }
        return Workload(
            files=[path],
            load=lambda: opened.append(file_class()(path, "r")),
            tasks=tasks,
            close=lambda: opened.pop().close(),
        )

    return PeerSuite(
        variants=["file"],
        prepare=prepare,
        build=lambda context: write(items_path(context), Inputs(name, context), file_class) and None,
    )


def many(file_class):
    def build(context):
        import numpy as np

        with file_class()(items_path(context), "w") as file:
            for i in range(int(context["parameters"]["items"])):
                file.add_item({key: np.array([i], "<i4") for key in MANY_KEYS})

    def prepare(_variant, context):
        import numpy as np

        path = items_path(context)
        count = int(context["parameters"]["items"])

        def open_and_count(_):
            with file_class()(path, "r") as file:
                return file.num_items()

        def first(i):
            with file_class()(path, "r") as file:
                return file.get_item((i * 7919) % count)

        tasks = {
            "open": Task(open_and_count, lambda found: {"items": np.array([found], "<i4")}),
            "first": Task(first, dict),
        }
        return Workload(files=[path], load=lambda: None, tasks=tasks)

    return PeerSuite(variants=["file"], prepare=prepare, build=build)
