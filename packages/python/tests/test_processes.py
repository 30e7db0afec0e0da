"""The process of Node: found or missed, shared by threads, killed, of forked children, and never left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import colkit
from colkit._bridge import bridge
from colkit._node import NodeSettings
from tests.support import ROWS, gone, is_running, orders, parent_of, servers

CHILD = """
import colkit, os, sys
table = colkit.open(sys.argv[1])
reader = table.batches(rows=10)
next(iter(reader))
print("ready", flush=True)
sys.stdin.read()
"""


class ProcessesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.path = orders(cls.folder)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.temporary.cleanup()

    def own(self) -> list[int]:
        return [each for each in servers() if parent_of(each) == os.getpid()]

    def test_threads_share_one(self) -> None:
        table = colkit.open(self.path)
        with ThreadPoolExecutor(8) as pool:
            counts = list(pool.map(lambda _: table.to_arrow(["id"]).num_rows, range(40)))
        self.assertEqual(counts, [ROWS] * 40)
        self.assertEqual(len(self.own()), 1)

    def test_one_that_is_killed_is_told_of_and_followed(self) -> None:
        table = colkit.open(self.path)
        reader = table.batches(["id"], rows=10)
        next(iter(reader))
        killed = bridge(NodeSettings())
        os.kill(killed.pid, signal.SIGKILL)
        with self.assertRaises(colkit.BridgeError) as raised:
            reader.read_all()
        self.assertEqual(raised.exception.code, "ERR_BRIDGE_LOST")
        self.assertEqual(table.count(), ROWS)
        self.assertNotEqual(bridge(NodeSettings()).pid, killed.pid)

    def test_a_killed_process_of_python_leaves_none(self) -> None:
        for how in (signal.SIGKILL, signal.SIGTERM, None):
            child = subprocess.Popen(
                [sys.executable, "-c", CHILD, str(self.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            self.assertEqual(child.stdout.readline(), b"ready\n")
            started = [each for each in servers() if parent_of(each) == child.pid]
            self.assertEqual(len(started), 1)
            if how is None:
                child.stdin.close()
            else:
                child.send_signal(how)
            child.wait()
            child.stdout.close()
            if not child.stdin.closed:
                child.stdin.close()
            self.assertTrue(gone(started), how)

    @unittest.skipUnless(hasattr(os, "fork"), "no fork")
    def test_forked_children_have_their_own(self) -> None:
        table = colkit.open(self.path)
        parent = bridge(NodeSettings()).pid
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.write(write, f"{table.count()} {bridge(NodeSettings()).pid}".encode())
                os.kill(os.getpid(), signal.SIGKILL)
            finally:
                os._exit(1)
        os.close(write)
        os.waitpid(child, 0)
        with os.fdopen(read, "rb") as pipe:
            count, own = (int(each) for each in pipe.read().split())
        self.assertEqual(count, ROWS)
        self.assertNotEqual(own, parent)
        self.assertTrue(gone([own]))
        self.assertTrue(is_running(parent))
        self.assertEqual(table.count(), ROWS)

    def test_what_is_missing_is_said(self) -> None:
        empty = str(self.folder)
        for settings, code, text in (
            (NodeSettings(node="no-such-node"), "ERR_NODE_NOT_FOUND", "COLKIT_NODE"),
            (NodeSettings(package=empty), "ERR_PACKAGE_NOT_FOUND", "npm install colkit"),
            (NodeSettings(node=sys.executable), "ERR_BRIDGE_START", "SyntaxError"),
        ):
            with self.assertRaises(colkit.BridgeError) as raised:
                bridge(settings)
            self.assertEqual(raised.exception.code, code)
            self.assertIn(text, str(raised.exception))
        with mock.patch.dict(os.environ, {"PATH": empty}):
            os.environ.pop("COLKIT_NODE", None)
            with self.assertRaises(colkit.BridgeError) as raised:
                NodeSettings().command()
        self.assertEqual(raised.exception.code, "ERR_NODE_NOT_FOUND")

    def test_the_package_is_found(self) -> None:
        package = self.folder / "project" / "node_modules" / "colkit" / "bin"
        package.mkdir(parents=True)
        (package / "colkit.js").write_text("")
        inside = self.folder / "project" / "deep" / "down"
        inside.mkdir(parents=True)
        before = Path.cwd()
        try:
            os.chdir(inside)
            with mock.patch.dict(os.environ):
                told = os.environ.pop("COLKIT_PACKAGE", None)
                self.assertEqual(Path(NodeSettings().command()[1]), (package / "colkit.js").resolve())
                os.chdir(self.folder)
                globally = self.folder / "bin"
                globally.mkdir()
                (globally / "colkit").symlink_to(package / "colkit.js")
                (package / "colkit.js").chmod(0o755)
                node = NodeSettings().command()[0] if told is None else None
                with mock.patch.dict(os.environ, {"PATH": f"{globally}{os.pathsep}{os.environ['PATH']}"}):
                    found = NodeSettings(node=node).command()[1]
                    self.assertEqual(Path(found), (package / "colkit.js").resolve())
                os.environ["COLKIT_PACKAGE"] = str(self.folder / "none")
                with self.assertRaises(colkit.BridgeError):
                    NodeSettings().command()
        finally:
            os.chdir(before)

    def test_an_answer_of_another_protocol_is_refused(self) -> None:
        fake = self.folder / "fake.js"
        for body, text in (
            ("process.stdout.write('hello, this is no frame at all')", "no frame"),
            (
                "const h=Buffer.from('{\"hello\":{\"protocol\":2}}');const b=Buffer.alloc(16);b.write('CKA1');"
                "b.writeUInt32LE(h.length,4);process.stdout.write(Buffer.concat([b,h]));setTimeout(()=>{},9999)",
                "another protocol",
            ),
            ("console.error('what happened');process.exit(3)", "exit 3"),
        ):
            fake.write_text(body)
            with self.assertRaises(colkit.BridgeError) as raised:
                bridge(NodeSettings(package=str(fake)))
            self.assertEqual(raised.exception.code, "ERR_BRIDGE_START")
            self.assertIn(text, str(raised.exception))
        self.assertIn("what happened", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
