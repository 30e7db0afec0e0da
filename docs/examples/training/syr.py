"""Reads .syr files (docs/formats/syrah.md, the current form) through a memory map. Needs numpy, and bson of pymongo."""

import bisect

import bson
import numpy as np


class SyrFile:
    def __init__(self, path):
        self.bytes = np.memmap(path, mode="r")
        head = self.bytes[:22].tobytes()
        at, length = int.from_bytes(head[6:14], "little"), int.from_bytes(head[14:22], "little")
        if head[:3] != b"GS\0" or head[3] != 0 or at < 22 or at + length != len(self.bytes):
            raise ValueError(f"{path}: no .syr file, or not a whole one")
        self.keys, counts = {}, set()
        for name, key in bson.decode(self.bytes[at:].tobytes()).items():
            if not isinstance(key.get("offset"), bytes):
                raise ValueError(f"{path}: an older form (colkit convert {path} new.syr)")
            offset, size = np.frombuffer(key["offset"], "<i8"), np.frombuffer(key["size"], "<i8")
            ends = offset + size
            if len(offset) != len(size) or (offset < 22).any() or (size < 0).any() or (ends > at).any():
                raise ValueError(f"{path}: {name}: arrays beyond the file")
            # Text has no dtype of numpy: its UTF-8 comes as bytes.
            dtype = np.dtype(np.uint8) if key["dtype"] == "str" else np.dtype(key["dtype"]).newbyteorder("<")
            self.keys[name] = (offset, size, dtype)
            counts.add(len(offset))
        if len(counts) > 1:
            raise ValueError(f"{path}: keys of different lengths")
        self.count = counts.pop() if counts else 0

    def __len__(self):
        return self.count

    def array(self, item, key):
        """A copy: arrays start at any byte."""
        offset, size, dtype = self.keys[key]
        start = int(offset[item])
        return self.bytes[start : start + int(size[item])].tobytes(), dtype


class SyrShards:
    """Items of several files by a running number, as SyrahDataset.open([…]) counts them: a map-style dataset."""

    def __init__(self, paths, keys):
        self.files, self.names = [SyrFile(path) for path in paths], keys
        self.lengths = [len(file) for file in self.files]
        self.ends = np.cumsum(self.lengths).tolist()

    def __len__(self):
        return self.ends[-1] if self.ends else 0

    def __getitem__(self, index):
        shard = bisect.bisect_right(self.ends, index)
        item = index - (self.ends[shard] - self.lengths[shard])
        arrays = (self.files[shard].array(item, key) for key in self.names)
        return tuple(np.frombuffer(bytearray(data), dtype) for data, dtype in arrays)
