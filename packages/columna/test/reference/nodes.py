"""Nodes of the .cna format: bytes of a page body -> values. Written from docs/formats/columna.md (section 4) alone;
values of fixed-width types are words (unsigned 64-bit integers),
byte strings are bytes. Slow and plain on purpose: one line for one sentence of the page."""

import itertools
import struct
import zlib

M64 = (1 << 64) - 1
(PLAIN, DELTA, DICTIONARY, RLE, BITPACK, DECIMAL, AFFINE) = range(7)
(PATCHED, ENTROPY, BITS, CODES, BLOCKS, ONPAIR, MATCHES, FRONT) = range(7, 15)
NAMES = """PLAIN DELTA DICTIONARY RLE BITPACK DECIMAL AFFINE PATCHED ENTROPY BITS CODES BLOCKS ONPAIR
MATCHES FRONT""".split()


class Refuse(Exception):
    """The bytes are not what the format allows."""


def need(condition, message):
    if not condition:
        raise Refuse(message)


def align(x, n):
    return -(-x // n) * n


def bit_stream(data, count, width):
    """`count` numbers of `width` bits, least significant bit first."""
    whole = int.from_bytes(data, "little")
    mask = (1 << width) - 1
    return [whole >> (i * width) & mask for i in range(count)]


class Body:
    """The content of one node, read from front to back."""

    def __init__(self, data, depth):
        need(depth <= 8, "nested deeper than 8")
        self.data, self.at, self.depth = data, 0, depth

    def take(self, length):
        need(0 <= length <= len(self.data) - self.at, "a node body that is too short")
        part = self.data[self.at : self.at + length]
        self.at += length
        return part

    def unpack(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))

    def pad(self, n):
        self.take(align(self.at, n) - self.at)

    def child(self, count, domain="integers"):
        encoding, parameter, length = self.unpack("BBxxI")
        data = self.take(length)
        self.pad(8)
        return decode(data, encoding, parameter, count, domain, self.depth + 1)

    def end(self):
        need(self.at == len(self.data), "a node body that is too long")


def decode(data, encoding, parameter, count, domain, depth=1, item_bytes=None, dictionary=None):
    """domain: 'integers', 'strings', or 'float32' / 'float64'. item_bytes: at the root of a page. dictionary: the
    entries, at the root of a data page with CODES."""
    need(count >= 1, "a node of no values")
    body = Body(data, depth)
    known = STRINGS if domain == "strings" else WORDS
    if encoding == CODES:
        need(dictionary is not None, "CODES without a dictionary page")
        need(parameter == 0, "parameter")
        values = pick(dictionary, body.child(count))
    else:
        need(encoding in known, "an encoding that is unknown or not legal here")
        need(parameter == 0 or encoding in (PLAIN, BITPACK, FRONT), "parameter")
        if encoding == PLAIN and item_bytes is not None:
            need(1 << parameter == item_bytes, "PLAIN of another width than the type")
        values = known[encoding](body, parameter, count, domain)
    body.end()
    return values


def pick(entries, codes):
    need(max(codes) < len(entries), "a code beyond the dictionary")
    return [entries[c] for c in codes]


def plain(body, parameter, count, domain):
    need(parameter <= 3, "parameter")
    return list(body.unpack(f"{count}{'BHIQ'[parameter]}"))


def plain_strings(body, parameter, count, domain):
    need(parameter == 0, "parameter")
    (length,) = body.unpack("Ixxxx")
    ends = body.child(count)
    data = body.take(length)
    need(
        ends[-1] == length and all(a <= b for a, b in zip(ends, ends[1:])), "ends of strings that fall or miss the data"
    )
    return [data[start:end] for start, end in zip([0] + ends, ends)]


def delta(body, parameter, count, domain):
    (log2,) = body.unpack("B7x")
    need(5 <= log2 <= 16, "block length")
    bases = body.child((count + (1 << log2) - 1) >> log2)
    gaps = body.child(count)
    values = []
    for i in range(count):
        values.append(bases[i >> log2] if i % (1 << log2) == 0 else (values[-1] + gaps[i]) & M64)
    return values


def dictionary_of(body, parameter, count, domain):
    (entries,) = body.unpack("Ixxxx")
    need(1 <= entries <= 65536, "number of entries")
    values = body.child(entries, domain)
    return pick(values, body.child(count))


def rle(body, parameter, count, domain):
    (runs,) = body.unpack("Ixxxx")
    need(1 <= runs <= count, "number of runs")
    values, lengths = body.child(runs, domain), body.child(runs)
    need(min(lengths) >= 1 and sum(lengths) == count, "run lengths")
    return [value for value, length in zip(values, lengths) for _ in range(length)]


def bitpack(body, parameter, count, domain):
    need(parameter <= 1, "parameter")
    base, step, log2, reference_width = body.unpack("QQBB6x")
    need(5 <= log2 <= 16 and reference_width <= 32, "block length or reference width")
    blocks = (count + (1 << log2) - 1) >> log2
    plans = list(body.unpack(f"{1 if parameter else blocks}H"))
    body.pad(4)
    plans = plans * blocks if parameter else plans
    references = [0] * blocks
    if reference_width:
        references = bit_stream(body.take((blocks * reference_width + 7) // 8), blocks, reference_width)
        body.pad(4)
    wide = any(plan & 255 > 32 for plan in plans)
    need(not wide or (reference_width == 0 and step == 1), "references or a step beside more than 32 bits")
    values = []
    for b in range(blocks):
        us = block(body, plans[b], min(1 << log2, count - (b << log2)))
        values += [(base + (u if wide else step * ((references[b] + u) & 0xFFFFFFFF))) & M64 for u in us]
    return values


def block(body, plan, m):
    low, threes, fives = plan & 255, plan >> 8 & 15, plan >> 12
    need(low <= 64 and threes <= 3 and fives <= 2, "plan")
    need(threes + fives == 0 or (low <= 31 and 3**threes * 5**fives << low <= 1 << 32), "plan")

    def plane(numbers, width):
        data = body.take((numbers * width + 7) // 8)
        body.pad(4)
        return bit_stream(data, numbers, width)

    us = [0] * m
    if low > 32:
        us = [a | b << 32 for a, b in zip(plane(m, 32), plane(m, low - 32))]
    elif low:
        us = plane(m, low)
    scale = 1 << low
    for digits, radix, width, planes in ((5, 3, 8, threes), (3, 5, 7, fives)):
        for _ in range(planes):
            groups = plane((m + digits - 1) // digits, width)
            need(max(groups) < radix**digits, "a group of digits out of range")
            us = [u + scale * (groups[i // digits] // radix ** (i % digits) % radix) for i, u in enumerate(us)]
            scale *= radix
    return us


def decimal(body, parameter, count, domain):
    need(domain in ("float32", "float64"), "DECIMAL of something else than floats")
    (exponent,) = body.unpack("B7x")
    need(exponent <= 22, "exponent")
    numbers = [m - (1 << 64) if m >> 63 else m for m in body.child(count)]
    need(all(abs(m) <= 1 << 53 for m in numbers), "a decimal beyond 2^53")
    code, word = ("<f", "<I") if domain == "float32" else ("<d", "<Q")
    return [struct.unpack(word, struct.pack(code, float(m) / float(10**exponent)))[0] for m in numbers]


def affine(body, parameter, count, domain):
    first, step = body.unpack("QQ")
    return [(first + i * step) & M64 for i in range(count)]


def patched(body, parameter, count, domain):
    (patches,) = body.unpack("Ixxxx")
    need(1 <= patches <= count, "number of patches")
    values, positions, replacements = body.child(count, domain), body.child(patches), body.child(patches)
    need(positions[-1] < count and all(a < b for a, b in zip(positions, positions[1:])), "positions of patches")
    for position, replacement in zip(positions, replacements):
        values[position] = replacement
    return values


def entropy(body, parameter, count, domain):
    bins, words, base, step, *states = body.unpack("HxxIQQ4I")
    need(1 <= bins <= 4096, "number of bins")
    frequencies, lows, widths = body.child(bins), body.child(bins), body.child(bins)
    need(min(frequencies) >= 1 and sum(frequencies) == 4096, "frequencies")
    need(max(lows) < 1 << 32 and max(widths) <= 32 and min(states) >= 65536, "lows, widths or states")
    stream = list(body.unpack(f"{words}H"))
    body.pad(4)
    slots = [(s, f, slot) for s, f in enumerate(frequencies) for slot in range(f)]
    symbols = []
    for i in range(count):
        x = states[i % 4]
        s, frequency, inside = slots[x % 4096]
        x = frequency * (x // 4096) + inside
        if x < 65536:
            need(stream, "an entropy stream that runs out")
            x = 65536 * x + stream.pop(0)
        states[i % 4] = x
        symbols.append(s)
    need(states == [65536] * 4 and not stream, "an entropy stream that does not end where it should")
    bits = sum(widths[s] for s in symbols)
    offsets = int.from_bytes(body.take((bits + 7) // 8), "little")
    body.pad(4)
    values, at = [], 0
    for s in symbols:
        u = lows[s] + (offsets >> at & ((1 << widths[s]) - 1))
        values.append((base + step * (u & 0xFFFFFFFF)) & M64)
        at += widths[s]
    return values


def bits_of(body, parameter, count, domain):
    octets = body.child((count + 7) // 8)
    return [octets[i // 8] >> (i % 8) & 1 for i in range(count)]


def blocks(body, parameter, count, domain):
    length, log2, print_bits, history_bytes, history_stored = body.unpack("IBBHIxxxx")
    need(10 <= log2 <= 20 and print_bits <= 8 and history_bytes <= 32768, "head of BLOCKS")
    need(history_stored <= history_bytes and (history_stored == 0) == (history_bytes == 0), "history")
    need(length <= 1032 * len(body.data), "impossible expansion")
    lengths = body.child(count)
    if print_bits:
        need(max(body.child(count)) < 1 << print_bits, "fingerprints")
    sizes = body.child((length + (1 << log2) - 1) >> log2) if length else []
    history = piece(body.take(history_stored), history_bytes, b"")
    data = b""
    for size in sizes:
        expected = min(1 << log2, length - len(data))
        need(1 <= size <= expected, "size of a block")
        data += piece(body.take(size), expected, history)
    need(sum(lengths) == length, "lengths of strings")
    starts = itertools.accumulate([0] + lengths)
    return [data[start : start + size] for start, size in zip(starts, lengths)]


def piece(stored, length, history):
    """A block: as it is, or a raw DEFLATE stream that may reach back into the history."""
    if len(stored) == length:
        return stored
    need(length <= 1032 * len(stored), "impossible expansion")
    inflater = zlib.decompressobj(-15, history)
    try:
        data = inflater.decompress(stored, length + 1)
    except zlib.error:
        raise Refuse("a broken DEFLATE stream")
    need(len(data) == length and inflater.eof and not inflater.unused_data, "a DEFLATE stream of another length")
    return data


def onpair(body, parameter, count, domain):
    length, code_count, symbol_count = body.unpack("IIIxxxx")
    need(1 <= symbol_count <= 4096 and code_count <= length, "the number of symbols or codes")
    need(length <= 32 * code_count and length <= 1032 * len(body.data), "impossible expansion")
    lengths, code_counts = body.child(count), body.child(count)
    need(sum(lengths) == length and sum(code_counts) == code_count, "lengths of strings")
    need(all(n <= 32 * codes and codes <= n for n, codes in zip(lengths, code_counts)), "the number of codes")
    shared, own, codes = body.child(symbol_count), body.child(symbol_count), body.child(code_count)
    need(max(own) <= 32 and max(codes) < symbol_count, "a symbol or a code")
    own_bytes = body.child(sum(own)) if sum(own) else []
    need(max(own_bytes, default=0) < 256, "a byte of a symbol")
    symbols, own_bytes = [b""], iter(own_bytes)
    for same, more in zip(shared, own):
        need(same <= len(symbols[-1]) and 1 <= same + more <= 32, "the bytes of a symbol")
        symbols.append(symbols[-1][:same] + bytes(itertools.islice(own_bytes, more)))
    symbols = symbols[1:]
    body.take(len(body.data) - body.at)
    codes = iter(codes)
    strings = [b"".join(symbols[code] for code in itertools.islice(codes, n)) for n in code_counts]
    need([len(string) for string in strings] == list(lengths), "the length of a string")
    return strings


def matches(body, parameter, count, domain):
    length, literal_count, match_count = body.unpack("IIIxxxx")
    need(length <= 1032 * len(body.data) and literal_count + match_count <= 8 * len(body.data), "impossible expansion")
    need(literal_count + 2 * match_count <= length, "literals and matches of more bytes")
    lengths = body.child(count)
    literals = body.child(literal_count) if literal_count else []
    runs, match_lengths, codes = [body.child(match_count) if match_count else [] for _ in range(3)]
    need(sum(lengths) == length and max(literals, default=0) < 256, "lengths of strings, or literals")
    need(sum(runs) <= literal_count and min(match_lengths, default=2) >= 2, "runs or lengths of matches")
    need(max(codes, default=0) <= 104, "codes of offsets")
    rest = body.take(len(body.data) - body.at)
    bits, left, offset = int.from_bytes(rest, "little"), len(rest) // 4 * 32, 1
    data, literal = bytearray(), 0
    for run, match_length, code in zip(runs, match_lengths, codes):
        data += bytes(literals[literal : literal + run])
        literal += run
        width = 1 + (code - 9) // 4 if code > 8 else 0
        need(width <= left, "a rest that runs out")
        if code > 8:
            offset = 1 + ((4 + (code - 9) % 4) << width) + (bits & ((1 << width) - 1))
        elif code:
            offset = code
        bits, left = bits >> width, left - width
        need(offset <= len(data) and len(data) + match_length <= length, "a match beyond the data")
        for _ in range(match_length):
            data.append(data[-offset])
    data += bytes(literals[literal:])
    need(len(data) == length, "literals and matches of other bytes")
    starts = itertools.accumulate([0] + lengths)
    return [bytes(data[start : start + size]) for start, size in zip(starts, lengths)]


def front(body, parameter, count, domain):
    (length,) = body.unpack("Ixxxx")
    need(parameter <= 16 and length <= 1032 * len(body.data), "parameter, or impossible expansion")
    shared = body.child(count)
    need(body.data[body.at] != DICTIONARY, "own bytes in a dictionary")
    own = body.child(count, domain)
    body.take(len(body.data) - body.at)
    strings, left, before = [], length, b""
    for i, (same, more) in enumerate(zip(shared, own)):
        need(same <= (len(before) if i % (1 << parameter) else 0), "shared bytes")
        left -= same + len(more)
        need(left >= 0, "strings of more bytes")
        before = before[:same] + more
        strings.append(before)
    need(left == 0, "strings of fewer bytes")
    return strings


WORDS = {
    PLAIN: plain,
    DELTA: delta,
    DICTIONARY: dictionary_of,
    RLE: rle,
    BITPACK: bitpack,
    DECIMAL: decimal,
    AFFINE: affine,
    PATCHED: patched,
    ENTROPY: entropy,
    BITS: bits_of,
}
STRINGS = {
    PLAIN: plain_strings,
    DICTIONARY: dictionary_of,
    BLOCKS: blocks,
    ONPAIR: onpair,
    MATCHES: matches,
    FRONT: front,
}
