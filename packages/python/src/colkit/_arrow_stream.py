"""The bodies of one stream of the server as a file that pyarrow reads record batches from, without a copy."""

from __future__ import annotations

import weakref

import pyarrow as pa

from ._bridge import Bridge


class StreamFile:
    """
    What pyarrow takes for a file. One body is held at a time; who lets go of it before its end gives the stream up.
    """

    closed = False

    def __init__(self, bridge: Bridge, stream: int) -> None:
        self._bridge = bridge
        self._stream = stream
        self._body: pa.Buffer = pa.py_buffer(b"")
        self._at = 0
        self._is_done = False
        self._give_up = weakref.finalize(self, bridge.tell, "cancel", stream=stream)
        self._give_up.atexit = False

    def read_buffer(self, byte_length: int = -1) -> pa.Buffer:
        pieces: list[pa.Buffer] = []
        left = byte_length if byte_length >= 0 else 1 << 62
        while left > 0 and self._fill():
            piece = self._body.slice(self._at, min(left, self._body.size - self._at))
            self._at += piece.size
            left -= piece.size
            pieces.append(piece)
        if len(pieces) == 1:
            return pieces[0]
        return pa.py_buffer(b"".join(pieces))

    def read(self, byte_length: int = -1) -> bytes:
        return self.read_buffer(byte_length).to_pybytes()

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self._give_up()

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return False

    def seekable(self) -> bool:
        return False

    def flush(self) -> None:
        """Nothing is written."""

    def _fill(self) -> bool:
        while self._at == self._body.size:
            if self._is_done:
                return False
            head, self._body = self._bridge.ask("next", stream=self._stream)
            self._at = 0
            if head["done"]:
                self._is_done = True
                self._give_up.detach()
        return True
