"""Python's own syrah (pysyrah), over a file that it wrote itself."""

from _items import item_suites
from _protocol import Peer, serve


def load():
    import numpy
    import syrah

    return {"pysyrah": str(getattr(syrah, "__version__", "unknown")), "numpy": numpy.__version__}


def file_class():
    import syrah

    return syrah.File


serve(Peer(name="python-syrah", load=load, suites=item_suites(file_class)))
