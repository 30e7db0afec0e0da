"""Python's colstore as the other writer: python writer.py PATH MODE, one line of answers for each line of commands.

Commands: open (update PATH, or create it; MODE folder: append of one shard), write FIRST COUNT, close, rows, contend N.
"""

import sys
import time

import colstore
import numpy as np

path, mode = sys.argv[1:3]
writer = None


def rows(first, count):
    return {"x": np.arange(first, first + count, dtype="<i4")}


def opened():
    return colstore.appender(path) if mode == "folder" else colstore.update(path)


def contend(tries, first):
    """Adds records of 10 rows wherever the lock is free, and keeps the first lock for a while; how many."""
    done = 0
    while done < tries:
        try:
            with opened() as mine:
                mine.write(rows(first + 10 * done, 10))
                time.sleep(0.3 if done == 0 else 0)
            done += 1
        except OSError:
            pass
    return done


def answer(command, *given):
    global writer
    numbers = [int(each) for each in given]
    if command == "open":
        writer = opened()
    elif command == "write":
        writer.write(rows(*numbers))
    elif command == "close":
        writer.close()
    elif command == "contend":
        return contend(*numbers)
    elif command == "rows":
        with colstore.open(path) as table:
            return " ".join(str(each) for each in table["x"].array())
    return "ok"


for line in sys.stdin:
    try:
        print(answer(*line.split()), flush=True)
    except OSError as error:
        print("refused", type(error).__name__, flush=True)
