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

/**
 * The bytes of a flat .cstore file with the arrays of a .npy file (one column, of the file's name) or a .npz archive.
 * @throws UnsupportedError for arrays of more dimensions, of objects and others; CorruptFileError; IoError.
 */
export async function numpyTable(path: string): Promise<Uint8Array> {
  const source = await openSource(path);
  try {
    const columns: Column[] = [];
    if (/\.npy$/iu.test(path))
      for (const column of columnsOf(path, nameOf(path), await wholeOf(source))) columns.push(column);
    else
      for (const entry of await zipEntries(source))
        for (const column of columnsOf(path, nameOf(entry.name), await readEntry(source, entry))) columns.push(column);
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

const nameOf = (path: string): string => basename(path).replace(/\.npy$/iu, '');

async function wholeOf(source: RandomAccessSource): Promise<Uint8Array> {
  const bytes = new Uint8Array(source.byteLength);
  await source.read(0, bytes);
  return bytes;
}

function columnsOf(path: string, name: string, bytes: Uint8Array): readonly Column[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isNumpy = bytes.length >= 12 && MAGIC_BYTES.every((byte, at) => bytes[at] === byte);
  if (!isNumpy) throw damaged(path, 'an array of NumPy', `other bytes in ${name}`);
  const isLong = (bytes[6] ?? 1) > 1;
  const start = isLong ? 12 : 10;
  const end = start + (isLong ? view.getUint32(8, true) : view.getUint16(8, true));
  if (end > bytes.length) throw damaged(path, 'a whole header', `the end of ${name}`);
  const header = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end));
  const shape = /'shape': \(([\d, ]*)\)/u.exec(header)?.[1];
  if (shape === undefined) throw damaged(path, 'a shape', header);
  const dimensions = shape.split(',').filter((each) => each.trim() !== '');
  if (dimensions.length !== 1) throw unsupported(path, `${name} with ${String(dimensions.length)} dimensions`);
  const rowCount = Number(dimensions[0]);
  const plain = /'descr': '([^']+)'/u.exec(header)?.[1];
  const fields = plain === undefined ? fieldsOf(path, name, header) : [{ name, descr: plain }];
  const rowBytes = fields.reduce((sum, { descr }) => sum + itemBytesOf(path, name, descr), 0);
  const data = bytes.subarray(end);
  if (data.length !== rowCount * rowBytes)
    throw damaged(path, `${String(rowCount * rowBytes)} bytes of ${name}`, String(data.length));
  if (fields.length === 1 && plain !== undefined) return [{ name, descr: plain, bytes: data, rowCount }];
  let offset = 0;
  return fields.map((field) => {
    const width = itemBytesOf(path, name, field.descr);
    const column = new Uint8Array(rowCount * width);
    for (let row = 0, from = offset; row < rowCount; row += 1, from += rowBytes)
      column.set(data.subarray(from, from + width), row * width);
    offset += width;
    return { ...field, bytes: column, rowCount };
  });
}

/** Of an array of records: `[('a', '<i4'), ('b', '|S3')]`. */
function fieldsOf(path: string, name: string, header: string): readonly { name: string; descr: string }[] {
  const list = /'descr': \[(.*?)\], '/su.exec(header)?.[1] ?? '';
  const found = [...list.matchAll(/\('((?:[^'\\]|\\.)*)', '([^']+)'\)/gu)];
  const isAll = list.replaceAll(/\('(?:[^'\\]|\\.)*', '[^']+'\)/gu, '').replaceAll(/[, ]/gu, '') === '';
  if (found.length > 0 && isAll) return found.map(([, field = '', descr = '']) => ({ name: field, descr }));
  throw unsupported(path, `${name} of the type ${header.slice(0, 100)}`);
}

function itemBytesOf(path: string, name: string, descr: string): number {
  const [, kind = '', digits = '0'] = /^[<>|=]([fiubMmSU])(\d+)/u.exec(descr) ?? [];
  const bytes = kind === 'U' ? 4 * Number(digits) : Number(digits);
  if (kind !== '' && bytes > 0) return bytes;
  throw unsupported(path, `${name} of the type ${descr}`);
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
