"""Python's own syrah (pysyrah), over a file that it wrote itself."""
import os

from _protocol import Peer, PeerSuite, Task, Workload, serve

SETS = {
    "a": [("features", "<f8", 1000), ("label", "<i8", 1)],
    "b": [("label", "<i4", 1), ("fixed", "<f4", 100), ("var", "<i4", None)],
}
STACKED = {"a": "features", "b": "fixed"}
BATCH = 32
MANY_KEYS = ["k0", "k1", "k2", "k3", "k4", "k5"]


def load():
    import numpy
    import syrah

    return {"pysyrah": str(getattr(syrah, "__version__", "unknown")), "numpy": numpy.__version__}


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
        self.keys = SETS[name]
        self.stacked = STACKED[name]
        self.columns = {key: read(key, dtype) for key, dtype, _ in self.keys}
        lengths = read("lengths", "<i4") if name == "b" else np.zeros(0, "<i4")
        self.starts = np.concatenate([[0], np.cumsum(lengths)]).tolist()

    def item(self, i):
        def part(key, length):
            start, end = (self.starts[i], self.starts[i + 1]) if length is None else (i * length, (i + 1) * length)
            return self.columns[key][start:end]

        return {key: part(key, length) for key, _, length in self.keys}

    def batch(self, iteration):
        start = (iteration * BATCH) % (self.count - BATCH + 1)
        return self.order[start : start + BATCH]


def write(path, inputs):
    import syrah

    with syrah.File(path, "w") as file:
        for i in range(inputs.count):
            file.add_item(inputs.item(i))
    return path


def items(name):
    def prepare(_variant, context):
        import numpy as np
        import syrah

        inputs = Inputs(name, context)
        path = items_path(context)
        opened = []
        count = inputs.count

        def get(i):
            return opened[0].get_item(inputs.order[i % count])

        def stack(i):
            return np.stack([opened[0].get_array(item, inputs.stacked) for item in inputs.batch(i)])

        def open_and_count(_):
            with syrah.File(path, "r") as file:
                return file.num_items()

        def write_new(i):
            target = os.path.join(context["ownDirectory"], f"written-{os.getpid()}.syr")
            if os.path.exists(target):
                os.remove(target)
            return write(target, inputs)

        def written(target):
            with syrah.File(target, "r") as file:
                return {"items": np.array([file.num_items()], "<i4"), "features": file.get_array(count - 1, inputs.stacked)}

        tasks = {
            "view": Task(get, dict),
            "get": Task(get, dict),
            "label": Task(lambda i: {"label": opened[0].get_array(inputs.order[i % count], "label")}, dict),
            "batch-new": Task(stack, lambda data: {"data": data}),
            "open": Task(open_and_count, lambda found: {"items": np.array([found], "<i4")}),
            "write": Task(write_new, written),
        }
        return Workload(files=[path], load=lambda: opened.append(syrah.File(path, "r")), tasks=tasks, close=lambda: opened.pop().close())

    return PeerSuite(variants=["file"], prepare=prepare, build=lambda context: write(items_path(context), Inputs(name, context)) and None)


def build_many(context):
    import numpy as np
    import syrah

    with syrah.File(items_path(context), "w") as file:
        for i in range(int(context["parameters"]["items"])):
            file.add_item({key: np.array([i], "<i4") for key in MANY_KEYS})


def prepare_many(_variant, context):
    import numpy as np
    import syrah

    path = items_path(context)
    count = int(context["parameters"]["items"])

    def open_and_count(_):
        with syrah.File(path, "r") as file:
            return file.num_items()

    def first(i):
        with syrah.File(path, "r") as file:
            return file.get_item((i * 7919) % count)

    tasks = {"open": Task(open_and_count, lambda found: {"items": np.array([found], "<i4")}), "first": Task(first, dict)}
    return Workload(files=[path], load=lambda: None, tasks=tasks)


serve(Peer(name="python-syrah", load=load, suites={
    "w3a": items("a"), "w3b": items("b"), "w3m": PeerSuite(variants=["file"], prepare=prepare_many, build=build_many),
}))
