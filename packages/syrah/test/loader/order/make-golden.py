"""Writes golden-orders.json from docs/formats/loader_order.py: run it with that folder as argument."""
import json
import sys

sys.path.insert(0, sys.argv[1])
import loader_order as order

CASES = [
    ["shuffled", [10, 7, 0]],
    ["shuffled", [1, 0, 0]],
    ["shuffled", [200, 2**40 + 5, 3]],
    ["block_shuffled", [[10], 7, 0, 4, 8]],
    ["block_shuffled", [[5, 0, 1, 13, 8], 7, 1, 3, 9]],
    ["block_shuffled", [[5, 9], 7, 2, 3, 1]],
    ["block_shuffled", [[300, 300], 1, 0]],
    ["weighted", [[1, 0, 3.5, 0.1, 2], 7, 1, 40]],
    ["class_balanced", [["a", "b", "a", "a", "c", "b", "a"], 7, 1, 40]],
    ["length_buckets", [[5, 1, 9, 3, 3, 7, 2, 8, 1, 4, 6, 3], 7, 1, 2, 4]],
    ["length_buckets", [[5, 1, 9], 7, 1, 2]],
    ["batches_of", [list(range(10)), 1, 3, 2]],
    ["batches_of", [list(range(10)), 1, 3, 2, 4]],
    ["batches_of", [list(range(10)), 0, 4, 2, 1, "drop"]],
    ["batches_of", [list(range(10)), 2, 3, 2, 0, "uneven", True]],
    ["positions_done", [list(range(10)), 2, 3, 1, 2]],
    ["positions_done", [list(range(10)), 2, 3, 2]],
]

print(json.dumps([{"of": name, "given": given, "expected": getattr(order, name)(*given)} for name, given in CASES]))
