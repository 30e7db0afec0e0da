"""The way of Python's syrah in a few lines of our own, for where pysyrah cannot be had: pymongo's bson decodes the
whole metadata at opening, each array is a seek, a read and
a numpy.frombuffer. No line is the original's, and it checks nothing: it is what that design costs at least. Reads and
writes .syr files of the current form."""

import struct

from _items import item_suites
from _protocol import Peer, serve

HEADER_BYTES = 22


def load():
    import bson
    import numpy
    import pymongo

    bson.encode({})
    return {"pymongo": pymongo.version, "numpy": numpy.__version__}


class BsonFile:
    def __init__(self, path, mode):
        import bson
        import numpy

        self.np, self.bson = numpy, bson
        self.writing = mode == "w"
        self.file = open(path, mode + "b")
        if self.writing:
            self.file.write(bytes(HEADER_BYTES))
            self.offset = HEADER_BYTES
            self.places = {}
        else:
            at, length = struct.unpack("<qq", self.file.read(HEADER_BYTES)[6:])
            self.file.seek(at)
            metadata = bson.decode(self.file.read(length))
            self.keys = {
                key: (numpy.dtype(m["dtype"]), numpy.frombuffer(m["offset"], "<i8"), numpy.frombuffer(m["size"], "<i8"))
                for key, m in metadata.items()
            }

    def add_item(self, item):
        for key, array in item.items():
            dtype, offsets, sizes = self.places.setdefault(key, (array.dtype.name, [], []))
            offsets.append(self.offset)
            sizes.append(array.nbytes)
            self.file.write(array.tobytes())
            self.offset += array.nbytes

    def num_items(self):
        for _, offsets, _ in self.keys.values():
            return len(offsets)
        return 0

    def get_array(self, i, key):
        dtype, offsets, sizes = self.keys[key]
        self.file.seek(offsets[i])
        return self.np.frombuffer(self.file.read(sizes[i]), dtype)

    def get_item(self, i):
        return {key: self.get_array(i, key) for key in self.keys}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.writing:
            blob = lambda numbers: self.np.array(numbers, "<i8").tobytes()
            metadata = self.bson.encode(
                {
                    key: {"offset": blob(offsets), "size": blob(sizes), "dtype": dtype}
                    for key, (dtype, offsets, sizes) in self.places.items()
                }
            )
            self.file.write(metadata)
            self.file.seek(0)
            self.file.write(b"GS" + bytes([0, 0, 2, 0]) + struct.pack("<qq", self.offset, len(metadata)))
        self.file.close()


serve(Peer(name="python-bson-numpy", load=load, suites=item_suites(lambda: BsonFile)))
