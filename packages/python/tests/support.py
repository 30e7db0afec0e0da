"""What all tests share: tables made by the command, and the processes of Node that are left."""

from __future__ import annotations

import os
import subprocess
import time
import uuid
from pathlib import Path

from colkit._node import NodeSettings

#: Inherited by all that these tests start.
MARK = os.environ.setdefault("COLKIT_TEST_MARK", uuid.uuid4().hex)
ROWS = 40_000
ROW_GROUP = 5_000
REGIONS = ("EMEA", "APAC", "", "\U0001f600")
WAIT_SECONDS = 15.0


def colkit(*words: str) -> None:
    """Runs the command."""
    subprocess.run([*NodeSettings().command()[:2], *words], check=True, stdout=subprocess.DEVNULL)


def orders(folder: Path) -> Path:
    """Orders in eight row groups, in which `amount` and `region` have nulls and each id comes once."""
    text = ["id,region,amount,at,flag\n"]
    for row in range(ROWS):
        amount = "" if row % 7 == 0 else str(row * 0.5)
        day = 1 + row % 28
        text.append(f"{row},{REGIONS[row % 4]},{amount},2024-01-{day:02d}T00:00:00,{'true' if row % 2 else 'false'}\n")
    (folder / "orders.csv").write_text("".join(text), encoding="utf-8")
    colkit("convert", str(folder / "orders.csv"), str(folder / "orders.cna"), "--row-group-size", str(ROW_GROUP))
    return folder / "orders.cna"


def servers() -> list[int]:
    """The processes of `colkit serve-arrow` that these tests, or what they started, have running."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if not entry.name.isdigit() or b"serve-arrow" not in (entry / "cmdline").read_bytes():
                continue
            if f"COLKIT_TEST_MARK={MARK}".encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(pids: list[int]) -> bool:
    """Whether they end, within some seconds."""
    until = time.monotonic() + WAIT_SECONDS
    while any(is_running(each) for each in pids):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True
