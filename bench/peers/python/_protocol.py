"""Answers the harness's requests in Python: the twin of src/child.ts, one line of JSON each on stdin and stdout.

A peer file makes a `Peer` and calls `serve(peer)`. Its suites map a suite's name to a `PeerSuite`; `prepare` gives a
`Workload`.
"""

import json
import os
import sys
import time
import zlib
from dataclasses import dataclass, field
from typing import Any, Callable, Optional


@dataclass
class Task:
    """`run(iteration)` does the work anew each time; `outputs(result)` names its arrays (anything with the buffer
    protocol)."""

    run: Callable[[int], Any]
    outputs: Callable[[Any], dict]


@dataclass
class Workload:
    files: list
    load: Callable[[], None]
    tasks: dict
    close: Callable[[], None] = lambda: None
    iterations: dict = field(default_factory=dict)


@dataclass
class PeerSuite:
    variants: list
    prepare: Callable[[str, dict], Workload]
    build: Optional[Callable[[dict], None]] = None


@dataclass
class Peer:
    name: str
    load: Callable[[], dict]
    suites: dict


def serve(peer: Peer) -> None:
    # stdout belongs to the protocol; whatever a library prints goes to stderr.
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    workload = None
    for line in sys.stdin:
        request = json.loads(line)
        op = request["op"]
        try:
            if op == "prepare":
                peer.load()
                workload = peer.suites[request["suite"]].prepare(request["variant"], request["context"])
                value = {"files": workload.files, "tasks": [{"name": name, "kind": "sync"} for name in workload.tasks]}
            elif op == "describe":
                value = _describe(peer)
            elif op == "build":
                peer.load()
                build = peer.suites[request["suite"]].build
                value = None if build is None else build(request["context"])
            elif op == "memory":
                value = {"peakRssBytes": _peak_rss()}
            elif op == "close":
                value = None if workload is None else workload.close()
            else:
                value = _with_workload(workload, request)
            reply = {"ok": True, "value": value}
        except Exception as error:
            reply = {"ok": False, "error": f"{type(error).__name__}: {error}"}
        replies.write(json.dumps(reply) + "\n")
        replies.flush()
        if op == "close":
            return


def _describe(peer: Peer) -> dict:
    try:
        missing, versions = None, peer.load()
    except Exception as error:
        missing, versions = f"{type(error).__name__}: {error}", {}
    suites = {name: suite.variants for name, suite in peer.suites.items()}
    return {"name": peer.name, "onRequest": False, "missing": missing, "versions": versions, "suites": suites}


def _with_workload(workload: Workload, request: dict) -> Any:
    op = request["op"]
    if op == "load":
        start = time.perf_counter_ns()
        workload.load()
        return time.perf_counter_ns() - start
    task = workload.tasks[request["task"]]
    if op == "check":
        return _check(task, request["iterations"])
    if op == "run":
        return _run(
            workload,
            request["task"],
            request["samples"],
            request["repeat"],
            request["budgetMs"],
            request.get("clock", "wall"),
        )
    raise ValueError(f"unknown request {op}")


def _check(task: Task, iterations: int) -> list:
    digests: dict = {}
    for iteration in range(iterations):
        for name, array in task.outputs(task.run(iteration)).items():
            view = memoryview(array).cast("B")
            length, crc = digests.get(name, (0, 0))
            digests[name] = (length + view.nbytes, zlib.crc32(view, crc))
    return [{"name": name, "byteLength": digests[name][0], "crc32": digests[name][1]} for name in sorted(digests)]


def _run(workload: Workload, name: str, samples: int, repeat: int, budget_ms: float, clock: str) -> list:
    now = time.process_time_ns if clock == "cpu" else time.perf_counter_ns
    run = workload.tasks[name].run
    times: list = []
    end = time.perf_counter() + budget_ms / 1000
    while not times or (len(times) < samples and time.perf_counter() < end):
        begin = workload.iterations.get(name, 0)
        workload.iterations[name] = begin + repeat
        result = None  # the last result is given back before the clock starts
        start = now()
        for iteration in range(begin, begin + repeat):
            result = run(iteration)
        times.append((now() - start) / repeat)
    del result
    return times


def _peak_rss() -> int:
    try:
        import resource
    except ImportError:  # Windows
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
