// Arrays of NumPy (.npy, .npz) -> a table, and a table -> arrays. Arrays of one dimension are columns, one with fields
// several; their bytes are as a flat .cstore file has them, so a header before them makes them a table.
import { CorruptFileError, UnsupportedError, openFileSink, openSource, parseDType } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import type { Table } from '@colkit/table';
import { basename } from 'node:path';
import { ZipWriter, readEntry, zipEntries } from './zip-entries.ts';

/** `\x93NUMPY` */
const MAGIC_BYTES: readonly number[] = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const ALIGNMENT = 64;
/** Rows of a column that are in memory at a time. */
const PIECE_ROWS = 1 << 18;
const CSTORE_MAGIC = Uint8Array.of(0x43, 0x53, 0x54, 0x4f, 0x52, 0x45, 0, 1);

interface Column {
  readonly name: string;
  readonly descr: string;
  readonly bytes: Uint8Array;
  readonly rowCount: number;
}

/** An array; what is not asked for may be of any type and shape. */
interface NumpyArray {
  /** Of the columns that it is. */
  readonly names: readonly string[];
  /** @throws UnsupportedError, CorruptFileError. */
  columns(): readonly Column[];
}

/**
 * The bytes of a flat .cstore file with the arrays of a .npy file (one column, of the file's name) or a .npz archive.
 * @param choose which of the columns, all where it gives undefined.
 * @throws UnsupportedError for arrays of more dimensions, of objects and others; CorruptFileError; IoError.
 */
export async function numpyTable(
  path: string,
  choose: (known: readonly string[]) => readonly string[] | undefined,
): Promise<Uint8Array> {
  const source = await openSource(path);
  try {
    const arrays: NumpyArray[] = [];
    if (/\.npy$/iu.test(path)) arrays.push(arrayOf(path, nameOf(basename(path)), await wholeOf(source)));
    else
      for (const entry of await zipEntries(source))
        arrays.push(arrayOf(path, nameOf(entry.name), await readEntry(source, entry)));
    const known = arrays.flatMap(({ names }) => names);
    const chosen = new Set(choose(known) ?? known);
    const columns = arrays
      .filter(({ names }) => names.some((name) => chosen.has(name)))
      .flatMap((array) => array.columns())
      .filter(({ name }) => chosen.has(name));
    const [first] = columns;
    if (first === undefined) throw unsupported(path, 'no arrays');
    const other = columns.find(({ rowCount }) => rowCount !== first.rowCount);
    if (other !== undefined)
      throw unsupported(
        path,
        `${first.name} of ${String(first.rowCount)} and ${other.name} of ${String(other.rowCount)}`,
      );
    return flatFile(columns, first.rowCount);
  } finally {
    source.close();
  }
}

/** A name within an archive may have slashes. */
const nameOf = (file: string): string => file.replace(/\.npy$/iu, '');

async function wholeOf(source: RandomAccessSource): Promise<Uint8Array> {
  const bytes = new Uint8Array(source.byteLength);
  await source.read(0, bytes);
  return bytes;
}

interface Header {
  readonly text: string;
  /** Where the values start. */
  readonly end: number;
}

/** Null for what is no array; one that is cut off ends behind the bytes. */
function headerOfArray(bytes: Uint8Array): Header | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || !MAGIC_BYTES.every((byte, at) => bytes[at] === byte)) return null;
  const version = bytes[6] ?? 1;
  const start = version > 1 ? 12 : 10;
  const end = start + (version > 1 ? view.getUint32(8, true) : view.getUint16(8, true));
  // The first two versions are in Latin-1.
  const text = Buffer.from(bytes.subarray(start, end)).toString(version > 2 ? 'utf8' : 'latin1');
  return { text, end };
}

interface ArrayField {
  readonly name: string;
  readonly descr: string;
}

function arrayOf(path: string, name: string, bytes: Uint8Array): NumpyArray {
  const header = headerOfArray(bytes);
  const plain = /'descr': '([^']+)'/u.exec(header?.text ?? '')?.[1];
  const fields = plain === undefined ? fieldsOf(header?.text ?? '') : [{ name, descr: plain }];
  const own = fields.filter((field) => !isPadding(field));
  return {
    names: own.length === 0 ? [name] : own.map((field) => field.name),
    columns: () => columnsOf(path, name, bytes, header, fields),
  };
}

function columnsOf(
  path: string,
  name: string,
  bytes: Uint8Array,
  header: Header | null,
  fields: readonly ArrayField[],
): readonly Column[] {
  if (header === null) throw damaged(path, 'an array of NumPy', `other bytes in ${name}`);
  const { text, end } = header;
  if (end > bytes.length) throw damaged(path, 'a whole header', `the end of ${name}`);
  const shape = /'shape': \(([\d, ]*)\)/u.exec(text)?.[1];
  if (shape === undefined) throw damaged(path, 'a shape', text);
  const dimensions = shape.split(',').filter((each) => each.trim() !== '');
  if (dimensions.length !== 1) throw unsupported(path, `${name} with ${String(dimensions.length)} dimensions`);
  if (fields.length === 0) throw unsupported(path, `${name} of the type ${text.slice(0, 100)}`);
  const rowCount = Number(dimensions[0]);
  const widths = fields.map((field) => itemBytesOf(path, name, field));
  const rowBytes = widths.reduce((sum, width) => sum + width, 0);
  const data = bytes.subarray(end);
  if (data.length !== rowCount * rowBytes)
    throw damaged(path, `${String(rowCount * rowBytes)} bytes of ${name}`, String(data.length));
  let offset = 0;
  return fields.flatMap((field, number) => {
    const width = widths[number] as number;
    const start = offset;
    offset += width;
    return isPadding(field) ? [] : [{ ...field, bytes: itemsAt(data, start, width, rowBytes), rowCount }];
  });
}

/** Those of one field of all records. */
function itemsAt(data: Uint8Array, start: number, width: number, rowBytes: number): Uint8Array {
  if (width === rowBytes) return data;
  const items = new Uint8Array((data.length / rowBytes) * width);
  for (let to = 0, from = start; to < items.length; to += width, from += rowBytes)
    items.set(data.subarray(from, from + width), to);
  return items;
}

/** Of an array of records: `[('a', '<i4'), ('b', '|S3')]`. None where a field is more than that. */
function fieldsOf(header: string): readonly ArrayField[] {
  const list = /'descr': \[(.*?)\], '/su.exec(header)?.[1] ?? '';
  const found = [...list.matchAll(FIELD)].map(([, one, other, descr = '']) => ({
    name: unquoted(one ?? other),
    descr,
  }));
  return list.replaceAll(FIELD, '').replaceAll(/[, ]/gu, '') === '' ? found : [];
}

const FIELD = /\((?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"), '([^']+)'\)/gu;

/** A text as Python writes it. */
function unquoted(text = ''): string {
  return text.replaceAll(/\\(?:x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8}|.)/gu, (escape) =>
    escape.length > 2
      ? String.fromCodePoint(parseInt(escape.slice(2), 16))
      : (CONTROLS.get(escape[1] ?? '') ?? escape.slice(1)),
  );
}

const CONTROLS = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** Bytes between the fields of records that are aligned. */
const isPadding = ({ name, descr }: ArrayField): boolean => name === '' && descr.startsWith('|V');

function itemBytesOf(path: string, name: string, field: ArrayField): number {
  if (isPadding(field)) return Number(field.descr.slice(2));
  const isKnown = /^[<>|=](?:f[248]|[iu][1248]|b1|[Mm]8|[SU]\d)/u.test(field.descr);
  const bytes = isKnown ? parseInt(field.descr.slice(2), 10) * (field.descr[1] === 'U' ? 4 : 1) : 0;
  if (bytes > 0) return bytes;
  throw unsupported(path, `${field.name === '' ? name : field.name} of the type ${field.descr}`);
}

/** Magic, manifest, and the columns one after another. */
function flatFile(columns: readonly Column[], rowCount: number): Uint8Array {
  const manifest = new TextEncoder().encode(
    JSON.stringify({
      format_version: 1,
      n_rows: rowCount,
      columns: columns.map(({ name, descr }) => ({ name, dtype: descr })),
    }),
  );
  const start = Math.ceil((16 + manifest.length) / ALIGNMENT) * ALIGNMENT;
  const out = new Uint8Array(columns.reduce((sum, { bytes }) => sum + bytes.length, start));
  out.set(CSTORE_MAGIC);
  new DataView(out.buffer).setBigUint64(8, BigInt(manifest.length), true);
  out.set(manifest, 16);
  let at = start;
  for (const { bytes } of columns) {
    out.set(bytes, at);
    at += bytes.length;
  }
  return out;
}

/**
 * Writes the columns of a table as the arrays of a .npz archive, or its only column as a .npy file.
 * @throws what `toRecords` throws: nulls, and text without a width, have no form there; UnsupportedError; IoError.
 */
export async function writeNumpy(table: Table, path: string, overwrite: boolean): Promise<number> {
  const isOne = /\.npy$/iu.test(path);
  if (isOne && table.columnNames.length !== 1)
    throw unsupported(path, `${String(table.columnNames.length)} columns in a .npy file; .npz has several`);
  const rowCount = await table.count();
  const sink = await openFileSink(path, { overwrite });
  try {
    const archive = new ZipWriter(sink);
    for (const name of table.columnNames) {
      const column = table.select(name);
      const { descr, itemBytes } = await typeOf(column, name, rowCount, path);
      const header = headerOf(descr, rowCount);
      const pieces = piecesOf(column, rowCount, header);
      if (isOne) for await (const piece of pieces) await sink.write(piece);
      else await archive.add(`${name}.npy`, header.length + rowCount * itemBytes, pieces);
    }
    if (!isOne) await archive.finish();
    await sink.finish();
  } catch (error) {
    await sink.abort();
    throw error;
  }
  return sink.position;
}

async function typeOf(
  column: Table,
  name: string,
  rowCount: number,
  path: string,
): Promise<{ readonly descr: string; readonly itemBytes: number }> {
  const [field] = column.schema;
  const { values } = (await column.agg({ values: { count: name } })) as { readonly values: number };
  if (field === undefined || values !== rowCount) throw unsupported(path, `nulls in ${name}`);
  const { itemBytes } = parseDType(field.dtype);
  const [, kind = '', rest = ''] = /^([A-Za-z]+)(.*)$/u.exec(field.dtype) ?? [];
  const letter = LETTERS[kind];
  if (letter === undefined) throw unsupported(path, `${name} of the type ${field.dtype}`);
  // NumPy counts the letters of text, and the bytes of numbers.
  if (kind === 'S' || kind === 'U') return { descr: `${kind === 'S' ? '|' : '<'}${field.dtype}`, itemBytes };
  const unit = /\[.*\]$/u.exec(rest)?.[0] ?? '';
  return { descr: `${itemBytes === 1 ? '|' : '<'}${letter}${String(itemBytes)}${unit}`, itemBytes };
}

const LETTERS: Readonly<Record<string, string>> = {
  float: 'f',
  int: 'i',
  uint: 'u',
  bool: 'b',
  datetime: 'M',
  timedelta: 'm',
  S: 'S',
  U: 'U',
};

async function* piecesOf(column: Table, rowCount: number, header: Uint8Array): AsyncGenerator<Uint8Array> {
  yield header;
  for (let start = 0; start < rowCount; start += PIECE_ROWS) {
    const { buffer, byteOffset, byteLength } = await column.slice(start, start + PIECE_ROWS).toRecords();
    yield new Uint8Array(buffer, byteOffset, byteLength);
  }
}

function headerOf(descr: string, rowCount: number): Uint8Array {
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${String(rowCount)},), }`;
  const padded = Math.ceil((10 + text.length + 1) / ALIGNMENT) * ALIGNMENT;
  const out = new Uint8Array(padded).fill(0x20);
  out.set(MAGIC_BYTES);
  out.set([1, 0, (padded - 10) & 0xff, (padded - 10) >> 8], 6);
  out.set(new TextEncoder().encode(text), 10);
  out[padded - 1] = 0x0a;
  return out;
}

const EXPECTED = 'arrays of one dimension and one length, of numbers, moments, or text of fixed width';

function unsupported(path: string, found: string): UnsupportedError {
  return new UnsupportedError(
    'ERR_FEATURE',
    'such arrays of NumPy',
    `${path}: expected ${EXPECTED} but found ${found}`,
  );
}

function damaged(path: string, expected: string, found: string): CorruptFileError {
  return new CorruptFileError('ERR_LAYOUT', { path, region: 'array', byteOffset: 0, expected, found });
}
