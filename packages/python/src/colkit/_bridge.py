"""
One long-lived process of Node for this process: requests as frames on its standard input, replies with Arrow on its
standard output (docs/formats/serve-arrow.md). Threads share it; a child made by fork starts its own. It ends when this
process does, in whatever way: its input ends, or its parent is gone.
"""

from __future__ import annotations

import atexit
import itertools
import json
import os
import struct
import subprocess
import tempfile
import threading
from collections import deque
from concurrent.futures import Future
from typing import IO, Any

import pyarrow as pa

from ._errors import BridgeError, error_of
from ._node import NodeSettings

_MAGIC = b"CKA1"
_FRAME = struct.Struct("<4sIQ")
_MOST_HEAD_BYTES = 1 << 26
#: Far beyond what batches of 16 MiB come to; a value alone may be larger.
_MOST_BODY_BYTES = 1 << 34
_START_SECONDS = 60.0
_END_SECONDS = 5.0
_PIPE_BYTES = 1 << 20
_SHOWN_BYTES = 2000

Reply = tuple[dict[str, Any], pa.Buffer]


class Bridge:
    """A running server. `ask` may be called by many threads."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self._errors = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, bufsize=0
            )
        except OSError as error:
            self._errors.close()
            raise BridgeError("ERR_BRIDGE_START", f"{command[0]}: {error}") from error
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input: IO[bytes] = self._process.stdin
        self._output: IO[bytes] = self._process.stdout
        _widen(self._output)
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._outbox: deque[bytes] = deque()
        self._waiting: dict[int, Future[Reply]] = {}
        self._lost: BridgeError | None = None
        self._hello: Future[dict[str, Any]] = Future()
        self._receiver = threading.Thread(target=self._receive, name="colkit", daemon=True)
        self._receiver.start()
        try:
            self.hello = self._hello.result(_START_SECONDS)
        except TimeoutError:
            self._process.kill()
            raise BridgeError("ERR_BRIDGE_START", f"{command[1]} said nothing for {_START_SECONDS:.0f} s") from None

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_lost(self) -> bool:
        return self._lost is not None

    def ask(self, method: str, **parameters: object) -> Reply:
        """The reply. Raises ColkitError: what the server told, or that it is gone."""
        number = next(self._numbers)
        future: Future[Reply] = Future()
        with self._lock:
            if self._lost is not None:
                raise BridgeError(self._lost.code, self._lost.message)
            self._waiting[number] = future
        self._send({"id": number, "method": method, **parameters})
        head, body = future.result()
        if "error" in head:
            raise error_of(head["error"])
        return head, body

    def tell(self, method: str, **parameters: object) -> None:
        """A request that nobody waits for; of a server that is gone nothing is left to be told."""
        if self._lost is None:
            self._send({"method": method, **parameters})

    def close(self) -> None:
        """Ends the server and waits for it."""
        try:
            self._input.close()
        except OSError:
            pass
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._receiver.join(_END_SECONDS)

    def forget(self) -> None:
        """In a child made by fork: the server is the parent's, and must not see its input held open."""
        for stream in (self._input, self._output, self._errors):
            stream.close()
        self._process.returncode = 0

    def _send(self, head: dict[str, object]) -> None:
        text = json.dumps(head, allow_nan=False).encode()
        self._outbox.append(_FRAME.pack(_MAGIC, len(text), 0) + text)
        # Whoever writes takes what came meanwhile along: streams are given up by the garbage collector, too, which runs
        # in the middle of anything.
        while self._outbox and self._sending.acquire(blocking=False):
            try:
                self._write()
            finally:
                self._sending.release()

    def _write(self) -> None:
        try:
            while self._outbox:
                frame = memoryview(self._outbox.popleft())
                while frame:
                    frame = frame[self._input.write(frame) :]
        except (OSError, ValueError):
            # The thread that reads sees the end, too, and says why.
            self._outbox.clear()

    def _receive(self) -> None:
        why = "its output ended"
        try:
            while (reply := self._frame()) is not None:
                self._dispatch(*reply)
        except BridgeError as error:
            why = error.message
        except (OSError, ValueError) as error:
            why = str(error)
        self._fail(why)

    def _dispatch(self, head: dict[str, Any], body: pa.Buffer) -> None:
        if not self._hello.done():
            hello = head.get("hello")
            if not isinstance(hello, dict) or hello.get("protocol") != 1:
                raise BridgeError("ERR_BRIDGE_START", f"another protocol than version 1: {str(head)[:200]}")
            self._hello.set_result(hello)
            return
        number = head.get("id")
        with self._lock:
            future = self._waiting.pop(number, None) if isinstance(number, int) else None
        if future is None:
            raise BridgeError("ERR_BRIDGE_LOST", f"a reply that nobody asked for: {str(head)[:200]}")
        future.set_result((head, body))

    def _frame(self) -> Reply | None:
        start = self._take(_FRAME.size)
        if start is None:
            return None
        magic, head_bytes, body_bytes = _FRAME.unpack(start)
        if magic != _MAGIC or head_bytes > _MOST_HEAD_BYTES or body_bytes > _MOST_BODY_BYTES:
            raise BridgeError("ERR_BRIDGE_LOST", f"what came is no frame: {bytes(start)!r}")
        text, body = self._take(head_bytes), self._take(body_bytes)
        if text is None or body is None:
            return None
        head = json.loads(bytes(text))
        if not isinstance(head, dict):
            raise BridgeError("ERR_BRIDGE_LOST", "the head of a frame is no object")
        return head, body

    def _take(self, byte_length: int) -> pa.Buffer | None:
        """So many bytes, in memory of Arrow's: no value is copied again. None: it ended before."""
        buffer = pa.allocate_buffer(byte_length)
        rest = memoryview(buffer)
        while rest:
            taken = self._output.readinto(rest)  # type: ignore[attr-defined]
            if not taken:
                return None
            rest = rest[taken:]
        return buffer

    def _fail(self, why: str) -> None:
        if self._process.poll() is None:
            self._process.kill()
        code = self._process.wait()
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - _SHOWN_BYTES))
        said = self._errors.read().decode(errors="replace").strip()
        for stream in (self._input, self._output, self._errors):
            stream.close()
        text = f"the process of Node is gone (exit {code}): {why}" + (f"\n{said}" if said else "")
        with self._lock:
            self._lost = BridgeError("ERR_BRIDGE_LOST", text)
            waiting = list(self._waiting.values())
            self._waiting.clear()
        if not self._hello.done():
            self._hello.set_exception(BridgeError("ERR_BRIDGE_START", text))
        for future in waiting:
            future.set_exception(self._lost)


def _widen(pipe: IO[bytes]) -> None:
    """A pipe of a megabyte, where the system has such: fewer turns for each batch."""
    try:
        import fcntl

        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    except (ImportError, AttributeError, OSError):
        pass


_running: dict[NodeSettings, Bridge] = {}
_starting = threading.Lock()


def bridge(settings: NodeSettings) -> Bridge:
    """This process's server for these settings; another one where the last is gone."""
    with _starting:
        found = _running.get(settings)
        if found is None or found.is_lost:
            found = _running[settings] = Bridge(settings.command())
        return found


@atexit.register
def _close_all() -> None:
    while _running:
        _running.popitem()[1].close()


def _forget_all() -> None:
    global _starting
    _starting = threading.Lock()
    while _running:
        _running.popitem()[1].forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
