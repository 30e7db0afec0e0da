// A complete reader of .cna files in one file, in the order in which a reader goes: from the end of the file to its
// values. It refuses what the specification (columna.md) tells a reader to refuse, and imports CRC-32 and inflate.
// It is slow on purpose (a bigint a value); `columna` is the fast one. readCna(bytes).columns[0].values: [1n, null]
//   file      = CNA1, row groups, footer, length of the footer, CNA1
//   row group = for each column a chunk = [dictionary page] data pages
//   page      = 28-byte header with a CRC, then a body: validity bitmap and a tree of encoded nodes
import { crc32, inflateRawSync } from 'node:zlib';
/** 64-bit integers, dates (days) and datetimes (microseconds since 1970) come as bigint. */
export type Value = null | boolean | number | bigint | string | Uint8Array;
export type Column = ColumnSchema & { values: Value[] };
/** What the bytes are not allowed to be. */
export class RefusedError extends Error {}
function need(condition: boolean, message: string): asserts condition {
  if (!condition) throw new RefusedError(message);
}
function attempt<T>(action: () => T, message: string): T {
  try {
    return action();
  } catch {
    throw new RefusedError(message);
  }
}

const align = (x: number, n: number) => Math.ceil(x / n) * n;
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
/** Reads bytes from front to back, little-endian. */
class Reader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  at = 0;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
  }

  take(length: number): Uint8Array {
    need(length >= 0 && length <= this.bytes.length - this.at, 'bytes end too early');
    return this.bytes.subarray(this.at, (this.at += length));
  }

  /** Ignored bytes up to a multiple of `n`. */
  pad(n: number): void {
    this.take(align(this.at, n) - this.at);
  }

  u8 = () => this.#view.getUint8(this.#step(1));
  u16 = () => this.#view.getUint16(this.#step(2), true);
  u32 = () => this.#view.getUint32(this.#step(4), true);
  u64 = () => this.#view.getBigUint64(this.#step(8), true);

  /** A 64-bit offset or length: what no double holds exactly lies beyond every file. */
  offset = () => Number(this.u64());
  /** A number with 4 ignored bytes behind it. */
  u32padded = () => Number(this.u64() & 0xffffffffn);

  #step(length: number): number {
    this.take(length);
    return this.at - length;
  }
}

/* ---- 1. Types (section 2) ---------------------------------------------------------------------------------------- */
// The index is the type's id, as in ITEM_BYTES (0: byte strings).
const WORDS = ['bool', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'] as const;
const TYPES = [...WORDS, 'float32', 'float64', 'date', 'datetime', 'string', 'binary'] as const;
const ITEM_BYTES = [1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 8, 0, 0];
export type TypeName = (typeof TYPES)[number];
const itemBytesOf = (type: TypeName) => ITEM_BYTES[TYPES.indexOf(type)]!;
/** What the values of a node are (section 4.2): words are unsigned 64-bit integers, floats are bit patterns. */
type Domain = 'integers' | 'float32' | 'float64' | 'strings';
const domainOf = (type: TypeName): Domain =>
  type === 'float32' || type === 'float64' ? type : itemBytesOf(type) === 0 ? 'strings' : 'integers';

/** A value as encodings know it: a word, or the bytes of a string. */
type Coded = bigint | Uint8Array;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** A word becomes a value by its lowest bits. */
function valueOf(coded: Coded, type: TypeName): Value {
  if (typeof coded !== 'bigint') {
    return type === 'binary' ? coded : attempt(() => utf8.decode(coded), 'a string that is not UTF-8');
  }
  const bits = itemBytesOf(type) * 8;
  const low = BigInt.asUintN(bits, coded);
  if (type === 'bool') return (low & 1n) === 1n;
  if (type === 'float32') return new Float32Array(Uint32Array.of(Number(low)).buffer)[0]!;
  if (type === 'float64') return new Float64Array(BigUint64Array.of(low).buffer)[0]!;
  const signed = type.startsWith('uint') ? low : BigInt.asIntN(bits, low);
  return bits === 64 ? signed : Number(signed);
}

/* ---- 2. The footer (section 7) ----------------------------------------------------------------------------------- */
type RowGroup = { byteOffset: number; endOffset: number; rowCount: number; pageRows: number };
type ColumnSchema = { name: string; type: TypeName; nullable: boolean };
/** `block` is what the footer knows of a column: a chunk entry for each row group, page entries, statistics. */
type ColumnOf = ColumnSchema & { block: Uint8Array };
type File = { file: Uint8Array; columns: readonly ColumnOf[]; groups: readonly RowGroup[] };
const MAGIC = 0x31414e43; // "CNA1"
export function readCna(file: Uint8Array): { readonly rowCount: number; readonly columns: Column[] } {
  need(file.length >= 12 && new Reader(file).u32() === MAGIC, 'no .cna file');
  const trailer = new Reader(file, file.length - 8);
  const footerBytes = trailer.u32();
  need(trailer.u32() === MAGIC && footerBytes >= 64 && footerBytes <= file.length - 12, 'no footer at the end');
  const footerAt = file.length - 8 - footerBytes;
  const footer = file.subarray(footerAt, file.length - 8);

  const tail = new Reader(footer, footerBytes - 64);
  tail.take(2); // format_version
  need(tail.u16() <= 1, 'a newer reader is needed');
  const [columnCount, groupCount, schemaBytes] = [tail.u32(), tail.u32(), tail.u32()];
  const rowCount = tail.offset();
  need(tail.offset() === footerAt, 'footer_offset');
  const coreBytes = align(schemaBytes, 8) + 16 * groupCount + 16 * columnCount + 64;
  need(coreBytes <= footerBytes, 'length of the core');
  const core = new Reader(footer.subarray(footerBytes - coreBytes));
  need(crc32(core.bytes.subarray(0, -4)) === new Reader(core.bytes, coreBytes - 4).u32(), 'CRC of the core');

  const schema = parseSchema(core.take(schemaBytes));
  need(schema.length === columnCount && (columnCount > 0 || groupCount === 0), 'number of columns');
  core.pad(8);
  const heads = Array.from({ length: groupCount }, () => [core.offset(), core.u32(), core.u32()] as const);
  const groups = heads.map(([byteOffset, rows, pageRows], number): RowGroup => {
    const endOffset = heads[number + 1]?.[0] ?? footerAt;
    need(byteOffset >= 4 && byteOffset <= footerAt && rows >= 1 && pageRows >= 1 && pageRows <= 65_536, 'row groups');
    return { byteOffset, endOffset, rowCount: rows, pageRows };
  });
  need(sum(groups.map((group) => group.rowCount)) === rowCount, 'rows of the row groups');

  const leastBlock = sum(groups.map((group) => 64 + (pagesOf(group) > 1 ? 32 * pagesOf(group) : 0)));
  const columns = schema.map((column): ColumnOf => {
    const [offset, length, crc] = [core.u32(), core.u32(), core.u32(), core.u32()] as const;
    need(offset + length <= footerBytes - coreBytes && length >= leastBlock, 'a column block');
    const block = footer.subarray(offset, offset + length);
    need(crc32(block) === crc, 'CRC of a column block');
    return { ...column, block };
  });
  const columnsRead = columns.map(({ name, type, nullable }, number) => {
    const values = groups.flatMap((_, group) => readChunk({ file, columns, groups }, group, number));
    need(nullable || !values.includes(null), 'a null in a column that has none');
    return { name, type, nullable, values };
  });
  return { rowCount, columns: columnsRead };
}

const pagesOf = ({ rowCount, pageRows }: RowGroup) => Math.ceil(rowCount / pageRows);
function parseSchema(bytes: Uint8Array): ColumnSchema[] {
  const schema = attempt((): unknown => JSON.parse(utf8.decode(bytes)), 'a schema that is not JSON');
  const { columns, metadata = {} } = (schema ?? {}) as { columns?: unknown; metadata?: unknown };
  need(typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata), 'metadata');
  need(!Object.values(metadata).some((text) => typeof text !== 'string') && Array.isArray(columns), 'a schema');
  const names = new Set<string>();
  for (const column of columns as (ColumnSchema | null)[]) {
    const { name, type, nullable } = column ?? {};
    need(typeof name === 'string' && name !== '' && !names.has(name), 'the name of a column');
    need(type !== undefined && TYPES.includes(type) && typeof nullable === 'boolean', 'the type of a column');
    names.add(name);
  }
  return columns as ColumnSchema[];
}

/* ---- 3. Chunks and dictionaries (section 5) ---------------------------------------------------------------------- */
/** `codesColumn`: whose data pages hold this chunk's codes: its own number, or the leader of a joint dictionary. */
function chunkEntry({ columns, groups }: File, groupNumber: number, columnNumber: number) {
  const group = groups[groupNumber]!;
  const { block, type } = columns[columnNumber]!;
  const entry = new Reader(block, 64 * groupNumber);
  const [byteOffset, byteLength] = [entry.offset(), entry.offset()];
  const [dictionaryBytes, codesColumn, pageEntries] = [entry.u32(), entry.u32(), entry.u32()];
  entry.take(9); // null_count, nan_count, statistics_flags
  const flags = entry.u8();
  need(byteOffset % 8 === 4 && byteOffset >= group.byteOffset, 'where a chunk starts');
  need(byteOffset + byteLength <= group.endOffset && dictionaryBytes <= byteLength, 'where a chunk ends');
  need(flags <= 1 && codesColumn < columns.length, 'flags or codes column of a chunk');
  checkBounds(block, type, 64 * groupNumber + 36, 64 * groupNumber + 40);
  const pages = pagesOf(group);
  const pageBytes = pages === 1 ? [byteLength - dictionaryBytes] : []; // a single page's entry is the chunk's
  need(pages === 1 || pageEntries + 32 * pages <= block.length, 'page entries');
  for (let at = pageEntries; pageBytes.length < pages; at += 32) {
    checkBounds(block, type, at + 12, at + 16);
    pageBytes.push(new Reader(block, at).u32());
  }
  need(dictionaryBytes + sum(pageBytes) === byteLength, 'bytes of the pages of a chunk');
  return { byteOffset, dictionaryBytes, codesColumn, isJoint: flags === 1, pageBytes };
}

/** Minimum and maximum of byte strings are offset and length inside the block. */
function checkBounds(block: Uint8Array, type: TypeName, flagsAt: number, slotsAt: number): void {
  for (const bit of itemBytesOf(type) === 0 ? [0, 1] : []) {
    const slot = new Reader(block, slotsAt + 8 * bit);
    if ((block[flagsAt]! >> bit) & 1) need(slot.u32() + slot.u32() <= block.length, 'a string of the statistics');
  }
}

function readChunk(file: File, groupNumber: number, columnNumber: number): Value[] {
  const group = file.groups[groupNumber]!;
  const own = chunkEntry(file, groupNumber, columnNumber);
  const isLeader = own.codesColumn === columnNumber;
  const leader = isLeader ? own : chunkEntry(file, groupNumber, own.codesColumn);
  if (!isLeader) {
    need(own.isJoint && leader.isJoint && leader.codesColumn === own.codesColumn, 'the leader of a joint chunk');
    need(sum(own.pageBytes) === 0, 'data pages of a member');
  }
  const dictionary = readDictionary(file, own, columnNumber);
  need(own.isJoint ? dictionary !== null : !(dictionary?.includes(null) ?? false), 'a dictionary');
  const leaders = isLeader ? dictionary : readDictionary(file, leader, own.codesColumn);
  need(leaders?.length === dictionary?.length, 'joint dictionaries of different lengths');

  // The pages of a joint chunk are the leader's, with the leader's type and column in their headers.
  const { type } = file.columns[columnNumber]!;
  const values: Value[] = [];
  let at = leader.byteOffset + leader.dictionaryBytes;
  for (const [number, bytes] of leader.pageBytes.entries()) {
    const rows = Math.min(group.pageRows, group.rowCount - number * group.pageRows);
    const page = openPage(file, { column: own.codesColumn, kind: 0, at, bytes, rows });
    if (own.isJoint) need(page.encoding === CODES && page.present.every(Boolean), 'a joint page that is not CODES');
    const decoded = decodeRows(page, type, dictionary);
    for (const coded of decoded) values.push(coded === null ? null : valueOf(coded, type));
    at += bytes;
  }
  return values;
}

function readDictionary(file: File, chunk: ReturnType<typeof chunkEntry>, column: number): Entries | null {
  if (chunk.dictionaryBytes === 0) return null;
  const page = openPage(file, { column, kind: 1, at: chunk.byteOffset, bytes: chunk.dictionaryBytes, rows: null });
  return decodeRows(page, file.columns[column]!.type, null);
}

/* ---- 4. Pages (section 3) ---------------------------------------------------------------------------------------- */
/** Kind 0 is a data page, 1 a dictionary page, which says itself how many entries it has (`rows` is null). */
type Expected = { column: number; kind: 0 | 1; at: number; bytes: number; rows: number | null };
function openPage({ file, columns }: File, { column, kind, at, bytes, rows }: Expected) {
  const page = new Reader(file.subarray(at, at + bytes));
  const [crc, storedBytes, bodyBytes] = [page.u32(), page.u32(), page.u32()];
  const [rowCount, valueCount] = [page.u32(), page.u32()];
  const [pageKind, typeId, encoding, parameter, codec] = [page.u8(), page.u8(), page.u8(), page.u8(), page.u8()];
  page.take(1);
  need(rowCount >= 1 && rowCount <= 65_536 && valueCount <= rowCount && pageKind === kind, 'header of a page');
  need(TYPES[typeId] === columns[column]!.type && page.u16() === (column & 0xffff), 'a page of another column');
  need((rows ?? rowCount) === rowCount && align(28 + storedBytes, 8) === bytes, 'size of a page');
  const stored = page.take(storedBytes);
  need(crc32(page.bytes.subarray(4, 28 + storedBytes)) === crc, 'CRC of a page');
  need(codec <= 1, 'an unknown codec');
  const body = new Reader(codec === 1 ? inflate(stored, bodyBytes) : stored);
  need(body.bytes.length === bodyBytes, 'length of a body');

  const hasValidity = valueCount > 0 && valueCount < rowCount;
  const bitmap = hasValidity ? bitsOf(child(body, Math.ceil(rowCount / 8), 'integers', 2), rowCount) : null;
  const present = Array.from({ length: rowCount }, (_, row) => (bitmap?.[row] ?? BigInt(valueCount > 0)) === 1n);
  need(present.filter(Boolean).length === valueCount, 'validity');
  need(valueCount > 0 || bodyBytes === 0, 'a body without values');
  return { encoding, parameter, valueCount, body: body.bytes.subarray(body.at), present };
}

/** Distances may reach back into the history. */
function inflate(stored: Uint8Array, bytes: number, history?: Uint8Array): Uint8Array {
  need(bytes <= 1032 * stored.length, 'more than DEFLATE can expand');
  const options = { maxOutputLength: Math.max(1, bytes), info: true, ...(history && { dictionary: history }) };
  const inflated: unknown = attempt(() => inflateRawSync(stored, options), 'a broken DEFLATE stream');
  const { buffer, engine } = inflated as { buffer: Uint8Array; engine: { bytesWritten: number } };
  need(engine.bytesWritten === stored.length && buffer.length === bytes, 'the length of a DEFLATE stream');
  return new Uint8Array(buffer);
}

/** The values of a page, null where there is none. */
function decodeRows(page: ReturnType<typeof openPage>, type: TypeName, dictionary: Entries | null): (Coded | null)[] {
  if (page.valueCount === 0) return page.present.map(() => null);
  const root = { encoding: page.encoding, parameter: page.parameter, count: page.valueCount };
  const values = decode(page.body, root, domainOf(type), 1, { itemBytes: itemBytesOf(type), dictionary });
  let next = 0;
  return page.present.map((isPresent) => (isPresent ? values[next++]! : null));
}

/* ---- 5. Nodes (section 4) ---------------------------------------------------------------------------------------- */
type Entries = readonly (Coded | null)[]; // of a dictionary page
type Node = { encoding: number; parameter: number; count: number };
type Root = { itemBytes: number; dictionary: Entries | null }; // what only the root of a page has
const [PLAIN, DICTIONARY, BITPACK, CODES, BLOCKS, FRONT] = [0, 2, 4, 10, 11, 14];
const word = (coded: Coded) => coded as bigint;
const wrap = (value: bigint) => BigInt.asUintN(64, value);
/** A node inside a body: encoding, parameter, length, body, padding. */
function child(body: Reader, values: number, domain: Domain, depth: number): Coded[] {
  const [encoding, parameter] = [body.u8(), body.u8()];
  body.take(2);
  const bytes = body.take(body.u32());
  body.pad(8);
  return decode(bytes, { encoding, parameter, count: values }, domain, depth, null);
}

function decode(bytes: Uint8Array, node: Node, domain: Domain, depth: number, root: Root | null): Coded[] {
  need(depth <= 8 && node.count >= 1, 'nodes nested deeper than 8, or without values');
  need(node.parameter === 0 || [PLAIN, BITPACK, FRONT].includes(node.encoding), 'a parameter');
  const isOfStrings = node.encoding >= CODES || node.encoding === PLAIN || node.encoding === DICTIONARY;
  need(domain === 'strings' ? isOfStrings : node.encoding < BLOCKS, 'an encoding of strings');
  const decoder = DECODERS[node.encoding];
  need(decoder !== undefined, 'an unknown encoding');
  const body = new Reader(bytes);
  const values = decoder(body, node, (count, of = 'integers') => child(body, count, of, depth + 1), domain, root);
  need(body.at === bytes.length, 'a node that is longer than its content');
  return values;
}

type Inner = (values: number, domain?: Domain) => Coded[];
type Decoder = (body: Reader, node: Node, inner: Inner, domain: Domain, root: Root | null) => Coded[];
// The index is the encoding's id.
const bits: Decoder = (_, { count }, inner) => bitsOf(inner(Math.ceil(count / 8)), count);
const INTEGERS = [plain, delta, dictionary, runLength, bitPack, decimal, affine, patched, entropy, bits];
const DECODERS: readonly Decoder[] = [...INTEGERS, codes, blocks, onpair, matches, front];
function codes(_: Reader, node: Node, inner: Inner, _domain: Domain, root: Root | null): Coded[] {
  need(root?.dictionary != null, 'CODES without a dictionary page');
  return pick(root.dictionary, inner(node.count));
}

function pick(entries: Entries, codes: readonly Coded[]): Coded[] {
  return codes.map((code) => {
    need(word(code) < BigInt(entries.length), 'a code beyond the dictionary');
    return entries[Number(code)] as Coded; // null only in joint dictionaries, where the caller allows it
  });
}

function plain(body: Reader, { parameter, count: values }: Node, inner: Inner, domain: Domain, root: Root | null) {
  if (domain === 'strings') return plainStrings(body, parameter, values, inner);
  need(parameter <= 3 && (root === null || 1 << parameter === root.itemBytes), 'the width of PLAIN');
  const read = [body.u8, body.u16, body.u32, body.u64][parameter]!;
  return Array.from({ length: values }, () => BigInt(read()));
}
function plainStrings(body: Reader, parameter: number, values: number, inner: Inner): Coded[] {
  need(parameter === 0, 'the parameter of PLAIN strings');
  const dataBytes = body.u32padded();
  const ends = inner(values).map(Number);
  const data = body.take(dataBytes);
  need(ends.every((end, i) => end >= (ends[i - 1] ?? 0)) && ends.at(-1) === dataBytes, 'ends of strings');
  return ends.map((end, i) => data.subarray(ends[i - 1] ?? 0, end));
}

/** Byte strings in blocks that are compressed one by one, with a history that stands before each of them. */
function blocks(body: Reader, { count: values }: Node, inner: Inner): Coded[] {
  const [bytes, log2, printBits, back, backStored] = [body.u32(), body.u8(), body.u8(), body.u16(), body.u32padded()];
  need(log2 >= 10 && log2 <= 20 && printBits <= 8 && back <= 32_768 && backStored <= back, 'a head of BLOCKS');
  need((backStored === 0) === (back === 0) && bytes <= 1032 * body.bytes.length, 'a history, or too many bytes');
  const lengths = inner(values).map(Number);
  const prints = printBits > 0 ? inner(values).map(Number) : [];
  need(prints.every((print) => print < 2 ** printBits) && sum(lengths) === bytes, 'fingerprints or lengths');
  const sizes = bytes === 0 ? [] : inner(Math.ceil(bytes / 2 ** log2)).map(Number);
  const stored = body.take(backStored);
  const history = backStored === back ? stored : inflate(stored, back);
  const data = new Uint8Array(bytes);
  for (const [block, size] of sizes.entries()) {
    const length = Math.min(2 ** log2, bytes - block * 2 ** log2);
    need(size >= 1 && size <= length, 'the size of a block');
    const piece = body.take(size);
    data.set(size === length ? piece : inflate(piece, length, back > 0 ? history : undefined), block * 2 ** log2);
  }
  return cut(data, lengths);
}

function cut(data: Uint8Array, lengths: readonly number[]): Coded[] {
  let at = 0;
  return lengths.map((length) => data.subarray(at, (at += length)));
}

/** Byte strings in codes, each of which stands for a symbol of up to 32 bytes. */
function onpair(body: Reader, { count: values }: Node, inner: Inner): Coded[] {
  const [bytes, codeCount, symbolCount, nodeBytes] = [body.u32(), body.u32(), body.u32padded(), body.bytes.length];
  need(symbolCount >= 1 && symbolCount <= 4096 && codeCount <= bytes, 'the number of symbols or codes');
  need(bytes <= 32 * codeCount && bytes <= 1032 * nodeBytes, 'too many bytes');
  const [lengths, codeCounts] = [inner(values).map(Number), inner(values).map(Number)];
  need(sum(lengths) === bytes && sum(codeCounts) === codeCount, 'lengths of strings');
  const [shared, own] = [inner(symbolCount).map(Number), inner(symbolCount).map(Number)];
  need(own[0]! > 0 && own.every((more) => more <= 32), 'the bytes of a symbol');
  const [codes, ownBytes] = [inner(codeCount).map(Number), inner(sum(own)).map(Number)];
  need(ownBytes.every((byte) => byte < 256) && codes.every((code) => code < symbolCount), 'a byte or a code');
  let symbol: number[] = [];
  const symbols = shared.map((same, i) => {
    const found = [...symbol.slice(0, same), ...ownBytes.splice(0, own[i])];
    need(same <= symbol.length && found.length >= 1 && found.length <= 32, 'the length of a symbol');
    return (symbol = found);
  });
  body.take(nodeBytes - body.at);
  let next = 0;
  return lengths.map((length, i) => {
    const count = codeCounts[i]!;
    need(length <= 32 * count && count <= length, 'the codes of a string');
    const found = codes.slice(next, (next += count)).flatMap((code) => symbols[code]!);
    need(found.length === length, 'the length of a string');
    return Uint8Array.from(found);
  });
}

/** Byte strings as literals, and copies of what stands before them at any distance. */
function matches(body: Reader, { count: values }: Node, inner: Inner): Coded[] {
  const [bytes, literalBytes, matchCount, nodeBytes] = [body.u32(), body.u32(), body.u32padded(), body.bytes.length];
  need(bytes <= 1032 * nodeBytes && literalBytes + matchCount <= 8 * nodeBytes, 'too many bytes');
  need(literalBytes + 2 * matchCount <= bytes, 'too many literals and matches');
  const numbers = (count: number) => (count === 0 ? [] : inner(count).map(Number));
  const [sizes, literals] = [numbers(values), numbers(literalBytes)];
  const [runs, lengths, codes] = [numbers(matchCount), numbers(matchCount), numbers(matchCount)];
  need(sum(sizes) === bytes && sum(runs) <= literalBytes && literals.every((byte) => byte < 256), 'lengths, literals');
  const rest = body.take(nodeBytes - body.at);
  const data = new Uint8Array(bytes);
  let [bit, offset, at, literal] = [0, 1, 0, 0];
  for (const [i, code] of codes.entries()) {
    for (let left = runs[i]!; left > 0; left--) data[at++] = literals[literal++]!;
    need(code <= 104 && lengths[i]! >= 2 && lengths[i]! <= bytes - at, 'a match');
    const width = code > 8 ? 1 + ((code - 9) >> 2) : 0;
    if (code > 0) offset = code > 8 ? 1 + (4 + ((code - 9) & 3)) * 2 ** width : code;
    need(align(bit + width, 32) <= 8 * rest.length, 'the rest of offsets');
    for (let i = 0; i < width; i++, bit++) offset += ((rest[bit >> 3]! >> (bit & 7)) & 1) * 2 ** i;
    need(offset <= at, 'an offset');
    for (const end = at + lengths[i]!; at < end; at++) data[at] = data[at - offset]!;
  }
  need(literalBytes - literal === bytes - at, 'literals and matches of other bytes');
  data.set(literals.slice(literal), at);
  return cut(data, sizes);
}

/** Byte strings that begin with bytes of the one before them. */
function front(body: Reader, { parameter, count: values }: Node, inner: Inner): Coded[] {
  let left = body.u32padded();
  need(parameter <= 16 && left <= 1032 * body.bytes.length, 'a parameter, or too many bytes');
  const shared = inner(values).map(Number);
  need(body.bytes[body.at] !== DICTIONARY, 'own bytes in a dictionary');
  const own = inner(values, 'strings') as Uint8Array[];
  body.take(body.bytes.length - body.at);
  let before = new Uint8Array(0);
  const strings = own.map((more, i) => {
    need(shared[i]! <= (i % 2 ** parameter === 0 ? 0 : before.length), 'shared bytes');
    need((left -= shared[i]! + more.length) >= 0, 'strings of more bytes');
    return (before = Uint8Array.from([...before.subarray(0, shared[i]), ...more]));
  });
  need(left === 0, 'strings of fewer bytes');
  return strings;
}

function delta(body: Reader, { count: values }: Node, inner: Inner): Coded[] {
  const blockLog2 = body.u8();
  body.take(7);
  need(blockLog2 >= 5 && blockLog2 <= 16, 'length of a block');
  const bases = inner(Math.ceil(values / 2 ** blockLog2));
  let value = 0n;
  const next = (gap: Coded, i: number) =>
    i % 2 ** blockLog2 === 0 ? word(bases[i >> blockLog2]!) : wrap(value + word(gap));
  return inner(values).map((gap, i) => (value = next(gap, i)));
}

function dictionary(body: Reader, node: Node, inner: Inner, domain: Domain): Coded[] {
  const entries = body.u32padded();
  need(entries >= 1 && entries <= 65_536, 'number of entries');
  return pick(inner(entries, domain), inner(node.count));
}

function runLength(body: Reader, node: Node, inner: Inner, domain: Domain): Coded[] {
  const runs = body.u32padded();
  need(runs >= 1 && runs <= node.count, 'number of runs');
  const [values, lengths] = [inner(runs, domain), inner(runs).map(Number)];
  need(lengths.every((length) => length >= 1) && sum(lengths) === node.count, 'lengths of runs');
  return values.flatMap((value, run) => Array<Coded>(lengths[run]!).fill(value));
}

/** `numbers` numbers of `width` bits, the least significant bit first, and padding up to a multiple of 4 bytes. */
function bitStream(body: Reader, widths: readonly number[]): bigint[] {
  const bytes = body.take(Math.ceil(sum(widths) / 8));
  body.pad(4);
  let at = 0;
  return widths.map((width) => {
    let value = 0n;
    for (let bit = 0; bit < width; bit++, at++) value |= BigInt((bytes[at >> 3]! >> (at & 7)) & 1) << BigInt(bit);
    return value;
  });
}

const same = (width: number, numbers: number) => Array<number>(numbers).fill(width);
function bitPack(body: Reader, { parameter, count: values }: Node): Coded[] {
  need(parameter <= 1, 'the parameter of BITPACK');
  const [base, step, blockLog2, referenceWidth] = [body.u64(), body.u64(), body.u8(), body.u8()];
  body.take(6);
  need(blockLog2 >= 5 && blockLog2 <= 16 && referenceWidth <= 32, 'block length or width of references');
  const blocks = Math.ceil(values / 2 ** blockLog2);
  const plans = Array.from({ length: parameter === 1 ? 1 : blocks }, () => body.u16());
  body.pad(4);
  const references = referenceWidth === 0 ? [] : bitStream(body, same(referenceWidth, blocks));
  const isWide = plans.some((plan) => (plan & 0xff) > 32);
  need(!isWide || (referenceWidth === 0 && step === 1n), 'references or a step beside more than 32 bits');
  return Array.from({ length: blocks }, (_, block) => {
    const inBlock = Math.min(2 ** blockLog2, values - block * 2 ** blockLog2);
    return unpackBlock(body, plans[parameter === 1 ? 0 : block]!, inBlock).map((u) =>
      wrap(base + (isWide ? u : step * BigInt.asUintN(32, (references[block] ?? 0n) + u))),
    );
  }).flat();
}

/** One block: planes of low bits, of base-3 digits (five to a byte), of base-5 digits (three to seven bits). */
function unpackBlock(body: Reader, plan: number, m: number): bigint[] {
  const [low, threes, fives] = [plan & 0xff, (plan >> 8) & 15, plan >> 12];
  need(low <= 64 && threes <= 3 && fives <= 2, 'a plan');
  need(threes + fives === 0 || (low <= 31 && 2 ** low * 3 ** threes * 5 ** fives <= 2 ** 32), 'a plan');
  const lowest = low === 0 ? same(0, m).map(BigInt) : bitStream(body, same(Math.min(low, 32), m));
  const high = low > 32 ? bitStream(body, same(low - 32, m)) : [];
  const us = lowest.map((u, i) => u | ((high[i] ?? 0n) << 32n));
  let scale = 2 ** low;
  for (let plane = 0; plane < threes + fives; plane++) {
    const [radix, digits, width] = plane < threes ? ([3, 5, 8] as const) : ([5, 3, 7] as const);
    const groups = bitStream(body, same(width, Math.ceil(m / digits))).map(Number);
    need(!groups.some((group) => group >= radix ** digits), 'a group of digits');
    for (let i = 0; i < m; i++) {
      const digit = Math.floor(groups[Math.floor(i / digits)]! / radix ** (i % digits)) % radix;
      us[i] = us[i]! + BigInt(scale * digit);
    }
    scale *= radix;
  }
  return us;
}

function decimal(body: Reader, node: Node, inner: Inner, domain: Domain): Coded[] {
  const exponent = body.u8();
  body.take(7);
  need(exponent <= 22 && domain !== 'integers', 'a DECIMAL');
  return inner(node.count).map((coded) => {
    const m = BigInt.asIntN(64, word(coded));
    need(m >= -(2n ** 53n) && m <= 2n ** 53n, 'a decimal beyond 2^53');
    const quotient = Number(m) / Number(10n ** BigInt(exponent));
    if (domain === 'float32') return BigInt(new Uint32Array(Float32Array.of(quotient).buffer)[0]!);
    return new BigUint64Array(Float64Array.of(quotient).buffer)[0]!;
  });
}
function affine(body: Reader, node: Node): Coded[] {
  const [first, step] = [body.u64(), body.u64()];
  return Array.from({ length: node.count }, (_, i) => wrap(first + BigInt(i) * step));
}

function patched(body: Reader, node: Node, inner: Inner, domain: Domain): Coded[] {
  const patches = body.u32padded();
  need(patches >= 1 && patches <= node.count, 'number of patches');
  const values = inner(node.count, domain);
  const positions = inner(patches).map(Number);
  need(!positions.some((at, i) => at <= (positions[i - 1] ?? -1) || at >= node.count), 'positions of patches');
  for (const [patch, replacement] of inner(patches).entries()) values[positions[patch]!] = replacement;
  return values;
}

/** Bins by range asymmetric numeral systems in four lanes, offsets inside bins as plain bits. */
function entropy(body: Reader, node: Node, inner: Inner): Coded[] {
  const bins = body.u16();
  body.take(2);
  const [words, base, step] = [body.u32(), body.u64(), body.u64()];
  const lanes = [body.u32(), body.u32(), body.u32(), body.u32()];
  need(bins >= 1 && bins <= 4096, 'number of bins');
  const [frequencies, lows, widths] = [inner(bins).map(Number), inner(bins), inner(bins).map(Number)];
  need(frequencies.every((f) => f >= 1) && sum(frequencies) === 4096, 'frequencies');
  need(lows.every((low) => word(low) < 2n ** 32n) && widths.every((width) => width <= 32), 'lows or widths');
  need(!lanes.some((lane) => lane < 65_536), 'states');
  const stream = Array.from({ length: words }, () => body.u16());
  body.pad(4);
  const slots = frequencies.flatMap((f, bin) => Array.from({ length: f }, (_, inside) => ({ f, bin, inside })));
  let next = 0;
  const found = Array.from({ length: node.count }, (_, i) => {
    const state = lanes[i % 4]!;
    const { f, bin, inside } = slots[state % 4096]!;
    let after = f * Math.floor(state / 4096) + inside;
    if (after < 65_536) {
      need(next < words, 'an entropy stream that runs out');
      after = 65_536 * after + stream[next++]!;
    }
    lanes[i % 4] = after;
    return bin;
  });
  need(next === words && lanes.every((state) => state === 65_536), 'the end of an entropy stream');
  const offsetWidths = found.map((bin) => widths[bin]!);
  const offsets = bitStream(body, offsetWidths);
  return found.map((bin, i) => wrap(base + step * BigInt.asUintN(32, word(lows[bin]!) + offsets[i]!)));
}

/** Eight bits an integer, the least significant one first. */
function bitsOf(octets: readonly Coded[], length: number): bigint[] {
  return Array.from({ length }, (_, i) => (word(octets[i >> 3]!) >> BigInt(i & 7)) & 1n);
}
