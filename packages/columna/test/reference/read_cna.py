"""Reads a .cna file with nothing but the standard library (struct, zlib). Written from docs/formats/columna.md alone.

    python3 read_cna.py FILE ...
    one JSON object a line: {"columns": [{"name", "type", "nullable", "values"}]}, or {"refused": "why"}
    python3 read_cna.py --examples PAGE.md  decodes every worked example of the specification and compares

Values in JSON: null; strings; bytes as hexadecimal; everything else as the decimal text of its bit pattern."""

import json
import re
import struct
import sys
import zlib

from nodes import CODES, NAMES, Refuse, align, decode, need

ITEM_BYTES = {
    "bool": 1,
    "int8": 1,
    "int16": 2,
    "int32": 4,
    "int64": 8,
    "uint8": 1,
    "uint16": 2,
    "uint32": 4,
    "uint64": 8,
    "float32": 4,
    "float64": 8,
    "date": 8,
    "datetime": 8,
    "string": 0,
    "binary": 0,
}
TYPES = list(ITEM_BYTES)


def domain_of(kind):
    return "strings" if ITEM_BYTES[kind] == 0 else kind if kind.startswith("float") else "integers"


def item(word, kind):
    """The value of a word: its lowest bits; a byte string as it is."""
    if kind == "string":
        try:
            return word.decode("utf-8")
        except UnicodeDecodeError:
            raise Refuse("a string that is not UTF-8")
    if kind == "binary":
        return word
    return word & 1 if kind == "bool" else word & ((1 << 8 * ITEM_BYTES[kind]) - 1)


def columns_of(text):
    """The columns of a schema: what it says of each, checked."""
    try:
        schema = json.loads(text.decode("utf-8"))
    except ValueError:
        raise Refuse("schema")
    need(isinstance(schema, dict) and isinstance(schema.get("columns"), list), "schema")
    columns, metadata = schema["columns"], schema.get("metadata", {})
    need(isinstance(metadata, dict) and all(isinstance(value, str) for value in metadata.values()), "metadata")
    need(
        all(
            isinstance(c, dict)
            and isinstance(c.get("name"), str)
            and c["name"]
            and isinstance(c.get("type"), str)
            and isinstance(c.get("nullable"), bool)
            for c in columns
        ),
        "schema",
    )
    need(len({c["name"] for c in columns}) == len(columns), "schema")
    need(all(c["type"] in ITEM_BYTES for c in columns), "an unknown type")
    return columns


class File:
    def __init__(self, data):
        self.data = data
        need(len(data) >= 12 and data[:4] == b"CNA1", "no .cna file")
        length, magic = struct.unpack("<I4s", data[-8:])
        need(magic == b"CNA1" and 64 <= length <= len(data) - 12, "no footer at the end")
        self.start = len(data) - 8 - length
        footer = data[self.start : -8]
        version, minimum, columns, groups, schema_bytes, rows, offset, previous = struct.unpack(
            "<HHIIIQQQ", footer[-64:-24]
        )
        need(minimum <= 1, "a newer reader is needed")
        need(offset == self.start, "footer offset")
        core_bytes = align(schema_bytes, 8) + 16 * groups + 16 * columns + 64
        need(core_bytes <= length, "core length")
        core = footer[-core_bytes:]
        need(zlib.crc32(core[:-4]) == struct.unpack("<I", core[-4:])[0], "CRC of the core")
        self.schema = columns_of(core[:schema_bytes])
        need(len(self.schema) == columns, "schema")
        at = align(schema_bytes, 8)
        self.groups = [struct.unpack_from("<QII", core, at + 16 * g) for g in range(groups)]
        need(
            sum(g[1] for g in self.groups) == rows
            and all(4 <= g[0] <= self.start and g[1] >= 1 and 1 <= g[2] <= 65536 for g in self.groups),
            "row groups",
        )
        need(columns > 0 or groups == 0, "rows without columns")
        at += 16 * groups
        self.blocks = []
        least = sum(64 + (32 * -(-rows // page_rows) if rows > page_rows else 0) for _, rows, page_rows in self.groups)
        for c in range(columns):
            start, size, crc = struct.unpack_from("<III", core, at + 16 * c)
            need(start + size <= length - core_bytes and size >= least, "column block")
            block = footer[start : start + size]
            need(zlib.crc32(block) == crc, "CRC of a column block")
            self.blocks.append(block)

    def chunk(self, g, c):
        """The entry of a chunk, checked, and the bytes of its data pages."""
        _, rows, page_rows = self.groups[g]
        block = self.blocks[c]
        offset, length, dictionary, codes, entries, nulls, nans, flags, chunk_flags = struct.unpack_from(
            "<QQIIIIIBB", block, 64 * g
        )
        end = self.groups[g + 1][0] if g + 1 < len(self.groups) else self.start
        need(
            offset % 8 == 4
            and self.groups[g][0] <= offset
            and offset + length <= end
            and dictionary <= length
            and chunk_flags <= 1
            and codes < len(self.blocks),
            "chunk entry",
        )
        pages = -(-rows // page_rows)
        sizes = [length - dictionary]
        self.check_bounds(c, 64 * g + 36, 64 * g + 40)
        if pages > 1:
            need(entries + 32 * pages <= len(block), "page entries")
            sizes = [struct.unpack_from("<I", block, entries + 32 * k)[0] for k in range(pages)]
            for k in range(pages):
                self.check_bounds(c, entries + 32 * k + 12, entries + 32 * k + 16)
        need(dictionary + sum(sizes) == length, "page sizes")
        return {"offset": offset, "dictionary": dictionary, "codes": codes, "joint": chunk_flags == 1, "sizes": sizes}

    def check_bounds(self, c, flags_at, slots):
        """Minimum and maximum of byte strings lie inside the block."""
        block = self.blocks[c]
        for bit in (0, 1):
            if ITEM_BYTES[self.schema[c]["type"]] == 0 and block[flags_at] >> bit & 1:
                start, size = struct.unpack_from("<II", block, slots + 8 * bit)
                need(start + size <= len(block), "a string of statistics")

    def open_page(self, c, kind, at, size, rows):
        """One page, checked -> encoding, parameter, number of values, their bytes, and for each row whether it is
        present."""
        need(size >= 28, "page size")
        page = self.data[at : at + size]
        crc, stored, raw, row_count, value_count, page_kind, type_id, encoding, parameter, codec, _, column = (
            struct.unpack("<IIIIIBBBBBBH", page[:28])
        )
        need(1 <= row_count <= 65536 and value_count <= row_count and page_kind == kind, "page header")
        need(
            TYPES[type_id : type_id + 1] == [self.schema[c]["type"]] and column == c & 65535, "a page of another column"
        )
        need((rows is None or rows == row_count) and align(28 + stored, 8) == size, "page header")
        need(zlib.crc32(page[4 : 28 + stored]) == crc, "CRC of a page")
        body = page[28 : 28 + stored]
        need(codec <= 1, "an unknown codec")
        if codec == 1:
            body = inflate(body, raw)
        need(len(body) == raw, "body length")
        present = [value_count == row_count] * row_count
        at = 0
        if 0 < value_count < row_count:
            need(len(body) >= 8, "validity")
            validity_encoding, validity_parameter, length = struct.unpack("<BBxxI", body[:8])
            at = align(8 + length, 8)
            need(at <= len(body), "validity")
            octets = decode(
                body[8 : 8 + length], validity_encoding, validity_parameter, (row_count + 7) // 8, "integers", 2
            )
            present = [octets[r // 8] >> (r % 8) & 1 == 1 for r in range(row_count)]
            need(sum(present) == value_count, "validity")
        need(value_count > 0 or raw == 0, "a body of no values")
        return encoding, parameter, value_count, body[at:], present

    def page(self, c, kind, at, size, rows, dictionary=None):
        """One page -> its values, None for null."""
        name = self.schema[c]["type"]
        encoding, parameter, value_count, body, present = self.open_page(c, kind, at, size, rows)
        if value_count == 0:
            return [None] * len(present)
        values = iter(
            decode(body, encoding, parameter, value_count, domain_of(name), 1, ITEM_BYTES[name] or None, dictionary)
        )
        return [item(next(values), name) if p else None for p in present]

    def dictionary(self, c, chunk):
        return self.page(c, 1, chunk["offset"], chunk["dictionary"], None) if chunk["dictionary"] else None

    def column(self, c):
        values = []
        for g, (_, rows, page_rows) in enumerate(self.groups):
            own = self.chunk(g, c)
            leader = own if own["codes"] == c else self.chunk(g, own["codes"])
            need(
                own is leader
                or (leader["joint"] and own["joint"] and leader["codes"] == own["codes"] and not any(own["sizes"])),
                "codes column",
            )
            entries = self.dictionary(c, own)
            need(not own["joint"] or entries is not None, "a joint chunk without a dictionary")
            if own["joint"] and own is not leader:
                need(
                    len(self.dictionary(own["codes"], leader)) == len(entries),
                    "joint dictionaries of different lengths",
                )
            need(own["joint"] or entries is None or None not in entries, "a null in a dictionary")
            at = leader["offset"] + leader["dictionary"]
            for k, size in enumerate(leader["sizes"]):
                expected = min(page_rows, rows - k * page_rows)
                if own["joint"]:
                    values += self.joint_page(own["codes"], at, size, expected, entries)
                else:
                    values += self.page(c, 0, at, size, expected, words_of(entries, self.schema[c]["type"]))
                at += size
        need(self.schema[c]["nullable"] or None not in values, "a null in a column that has none")
        return values

    def joint_page(self, leader, at, size, rows, entries):
        """Codes of the leader's page, values of the column's own entries."""
        encoding, parameter, _, body, present = self.open_page(leader, 0, at, size, rows)
        need(encoding == CODES and all(present), "a joint page that is not CODES of every row")
        return decode(body, CODES, parameter, rows, "integers", dictionary=entries)


def inflate(stored, length):
    need(length <= 1032 * len(stored), "impossible expansion")
    inflater = zlib.decompressobj(-15)
    try:
        body = inflater.decompress(stored, length + 1)
    except zlib.error:
        raise Refuse("a broken DEFLATE stream")
    need(
        inflater.eof and not inflater.unused_data and not inflater.unconsumed_tail,
        "a DEFLATE stream that does not end where it should",
    )
    return body


def words_of(entries, name):
    if entries is None:
        return None
    return [entry.encode("utf-8") if isinstance(entry, str) else entry for entry in entries]


def shown(value):
    return (
        None
        if value is None
        else value
        if isinstance(value, str)
        else value.hex()
        if isinstance(value, bytes)
        else str(value)
    )


def read(data):
    file = File(data)
    return {
        "columns": [
            {
                "name": c["name"],
                "type": c["type"],
                "nullable": c["nullable"],
                "values": [shown(v) for v in file.column(i)],
            }
            for i, c in enumerate(file.schema)
        ]
    }


def expected_values(text, kind):
    """The `values` line of an example: numbers or JSON strings; N*(a b) repeats."""
    text = re.sub(r"(\d+)\*\(([^)]*)\)", lambda m: " ".join([m[2]] * int(m[1])), text)
    return [json.loads(t) if t.startswith('"') else t for t in re.findall(r'"[^"]*"|\S+', text)]


def as_written(word, kind):
    value = item(word, kind)
    if kind.startswith("float"):
        return repr(struct.unpack("<d" if kind == "float64" else "<f", value.to_bytes(ITEM_BYTES[kind], "little"))[0])
    if isinstance(value, str):
        return value
    bits = 8 * ITEM_BYTES[kind]
    return str(value - (1 << bits) if kind in ("int8", "int16", "int32", "int64") and value >> (bits - 1) else value)


def examples(page):
    count = 0
    for text in re.findall(r"```example\n(.*?)```", page, re.S):
        encoding, parameter, number, kind, rest = re.match(
            r"encoding (\w+) +parameter (\d+) +count (\d+) +type (\w+)(.*)\n", text
        ).groups()
        body = bytes.fromhex(re.search(r"body ([0-9A-F\s]+)", text)[1])
        dictionary = [t.encode("utf-8") for t in expected_values(rest.replace("dictionary", ""), kind)] or None
        words = decode(
            body,
            NAMES.index(encoding),
            int(parameter),
            int(number),
            domain_of(kind),
            1,
            ITEM_BYTES[kind] or None,
            dictionary,
        )
        found, expected = (
            [as_written(w, kind) for w in words],
            expected_values(re.search(r"values (.*)", text)[1], kind),
        )
        assert found == expected, f"{encoding}: expected {expected} but found {found}"
        count += 1
    for text in re.findall(r"```file\n(.*?)```", page, re.S):
        data = bytes.fromhex("".join(re.findall(r"^[0-9A-F]{4}  (.*)$", text, re.M)))
        name, *expected = re.search(r"values (.*)", text)[1].split()
        column = read(data)["columns"][0]
        assert (column["name"], column["values"]) == (name, expected), column
        count += 1
    return count


def main(parameters):
    if parameters[:1] == ["--examples"]:
        with open(parameters[1], encoding="utf-8") as page:
            print(json.dumps({"examples": examples(page.read())}))
        return
    for path in parameters:
        with open(path, "rb") as file:
            data = file.read()
        try:
            print(json.dumps(read(data)))
        except Refuse as reason:
            print(json.dumps({"refused": str(reason)}))


if __name__ == "__main__":
    main(sys.argv[1:])
