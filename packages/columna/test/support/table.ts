// Small files in memory for tests: columns in, bytes of a file out, and back. Values are compared by their bit
// patterns, as decimal text: the form in which the reference reader prints them.
import { MemorySource, isColkitError } from '@colkit/io';
import type { FixedArray } from '@colkit/io';
import {
  checkColumnBlock,
  parseFooterCore,
  parseFooterTail,
  parseTrailer,
  rowsOfPage,
} from '../../src/layout/footer.ts';
import type { Footer } from '../../src/layout/footer.ts';
import { parseChunkEntry } from '../../src/layout/column-block.ts';
import type { ChunkEntry } from '../../src/layout/column-block.ts';
import { columnType } from '../../src/layout/column-type.ts';
import type { ColumnType, ColumnTypeName } from '../../src/layout/column-type.ts';
import { FOOTER_TAIL_BYTES, TRAILER_BYTES } from '../../src/layout/constants.ts';
import type { EncodingName } from '../../src/layout/constants.ts';
import { openPage, pageDictionary, pageJointCodes, pageStrings, pageVector } from '../../src/columns/decode-page.ts';
import type { OpenPage } from '../../src/columns/decode-page.ts';
import { emit, itemTarget } from '../../src/columns/emit.ts';
import type { ChunkDictionary } from '../../src/columns/node.ts';
import { pickVector } from '../../src/columns/pick.ts';
import { Scratch } from '../../src/columns/scratch.ts';
import type { Strings, Vector } from '../../src/columns/vector.ts';
import { binaryColumn, fixedColumn, isSet, textColumn } from '../../src/write/values/column-values.ts';
import type { ColumnValues } from '../../src/write/values/column-values.ts';
import { FileEncoder } from '../../src/write/file/file-encoder.ts';
import type { ChunkReport } from '../../src/write/file/file-encoder.ts';
import type { WriteMode } from '../../src/write/encode/modes.ts';

export { isColkitError, MemorySource };

/** One column of a test table: an item for every row (typed array with validity, or strings with nulls among them). */
export interface TestColumn {
  readonly name: string;
  readonly type: ColumnTypeName;
  readonly values: FixedArray | readonly (string | null)[] | readonly (Uint8Array | null)[];
  readonly validity?: Uint8Array;
  readonly encoding?: EncodingName;
}

export interface TestOptions {
  readonly mode?: WriteMode;
  readonly joint?: boolean;
  readonly rowGroupRows?: number;
  readonly pageRows?: number;
}

function isFixed(values: TestColumn['values']): values is FixedArray {
  return ArrayBuffer.isView(values);
}

function columnValues({ type, values, validity }: TestColumn, start: number, end: number): ColumnValues {
  const columnOf = columnType(type);
  if (isFixed(values)) {
    const bits = validity === undefined ? null : new Uint8Array(Math.ceil((end - start) / 8));
    if (bits !== null && validity !== undefined)
      for (let row = start; row < end; row++)
        if (isSet(validity, row)) bits[(row - start) >>> 3]! |= 1 << ((row - start) & 7);
    return fixedColumn(columnOf, values.subarray(start, end), bits);
  }
  const part = values.slice(start, end);
  return type === 'string'
    ? textColumn(columnOf, part as (string | null)[])
    : binaryColumn(columnOf, part as (Uint8Array | null)[]);
}

/** The bytes of a file with these columns, and what the writer says it did. */
export function writeTable(
  columns: readonly TestColumn[],
  options: TestOptions = {},
): { bytes: Uint8Array; reports: ChunkReport[] } {
  const rowCount = columns[0]?.values.length ?? 0;
  const encodings = new Map(
    columns.flatMap(({ encoding }, number) => (encoding === undefined ? [] : [[number, encoding] as const])),
  );
  const schema = {
    columns: columns.map(({ name, type, values, validity }) => ({
      name,
      type: columnType(type),
      nullable: validity !== undefined || (!isFixed(values) && values.includes(null as never)),
    })),
    metadata: new Map<string, string>(),
    createdBy: null,
  };
  const encoder = new FileEncoder(schema, {
    mode: options.mode ?? 'default',
    joint: options.joint ?? true,
    encodings,
    pageRows: options.pageRows ?? 65536,
  });
  const parts = [encoder.start()];
  const reports: ChunkReport[] = [];
  const step = options.rowGroupRows ?? Math.max(1, rowCount);
  for (let start = 0; start < rowCount; start += step) {
    const group = encoder.rowGroup(
      columns.map((column) => columnValues(column, start, Math.min(rowCount, start + step))),
    );
    parts.push(...group.parts);
    reports.push(...group.reports);
  }
  parts.push(encoder.footer());
  return { bytes: new Uint8Array(Buffer.concat(parts)), reports };
}

/** What a column should come back as: the text form of every row. */
export function expectedRows({ type, values, validity }: TestColumn): (string | null)[] {
  if (!isFixed(values))
    return (values as readonly (string | Uint8Array | null)[]).map((value) =>
      value === null ? null : typeof value === 'string' ? value : Buffer.from(value).toString('hex'),
    );
  return patterns(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), columnType(type)).map(
    (text, row) => (validity === undefined || isSet(validity, row) ? text : null),
  );
}

/** Items as the decimal text of their bit patterns. */
export function patterns(bytes: Uint8Array, type: ColumnType): string[] {
  const copy = bytes.slice().buffer;
  const items =
    type.itemBytes === 1
      ? new Uint8Array(copy)
      : type.itemBytes === 2
        ? new Uint16Array(copy)
        : type.itemBytes === 4
          ? new Uint32Array(copy)
          : new BigUint64Array(copy);
  return Array.from<number | bigint, string>(items, String);
}

export interface ReadColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly values: (string | null)[];
}

export interface ReadFile {
  readonly footer: Footer;
  readonly chunks: readonly (readonly ChunkEntry[])[];
  readonly columns: readonly ReadColumn[];
}

/** Reads a whole file with the package's own parts, all checks on. */
export function readTable(file: Uint8Array): ReadFile {
  const path = '<test>';
  if (file.length < 12 || Buffer.from(file.subarray(0, 4)).toString('latin1') !== 'CNA1') throw new MagicError();
  const footerBytes = parseTrailer(file, file.length);
  if (footerBytes === null) throw new MagicError();
  const footerEnd = file.length - TRAILER_BYTES;
  const tailAt = footerEnd - FOOTER_TAIL_BYTES;
  const tail = parseFooterTail(file.subarray(tailAt, footerEnd), footerBytes, {
    path,
    region: 'footer tail',
    byteOffset: tailAt,
  });
  const coreAt = footerEnd - tail.coreBytes;
  const footer = parseFooterCore(file.subarray(coreAt, footerEnd), tail, footerBytes, {
    path,
    region: 'footer',
    byteOffset: coreAt,
  });
  const { columns } = footer.schema;
  const chunks = columns.map((column, columnNumber) => {
    const entry = footer.directory[columnNumber]!;
    const location = { path, region: 'column block', byteOffset: entry.byteOffset, column: column.name };
    const block = checkColumnBlock(
      file.subarray(entry.byteOffset, entry.byteOffset + entry.byteLength),
      entry,
      location,
    );
    const context = {
      type: column.type,
      columnNumber,
      columnCount: columns.length,
      footerOffset: footer.footerOffset,
      location,
    };
    return footer.rowGroups.map((group, number) => parseChunkEntry(block, number, group, context));
  });
  const read = columns.map((column, number) => ({
    name: column.name,
    type: column.type.name,
    nullable: column.nullable,
    values: footer.rowGroups.flatMap((_, group) => readChunk(file, { footer, chunks, columns: [] }, group, number)),
  }));
  return { footer, chunks, columns: read };
}

/** Stands for ERR_MAGIC and ERR_UNCOMMITTED_TAIL, which opening a file decides. */
export class MagicError extends Error {
  readonly code = 'ERR_MAGIC';
}

function readChunk(
  file: Uint8Array,
  { footer, chunks }: ReadFile,
  groupNumber: number,
  columnNumber: number,
): (string | null)[] {
  const { name, type } = footer.schema.columns[columnNumber]!;
  const own = chunks[columnNumber]![groupNumber]!;
  const leader = chunks[own.codesColumn]![groupNumber]!;
  const group = footer.rowGroups[groupNumber]!;
  const location = { path: '<test>', region: 'page', byteOffset: own.byteOffset, column: name, rowGroup: groupNumber };
  const dictionary = own.dictionaryBytes === 0 ? null : readDictionary(file, own, type, columnNumber);
  const rows: (string | null)[] = [];
  let at = leader.byteOffset + leader.dictionaryBytes;
  const scratch = new Scratch();
  for (const [page, { pageBytes }] of leader.pages.entries()) {
    const rowCount = rowsOfPage(group, page);
    scratch.reset();
    const leaderType = footer.schema.columns[own.codesColumn]!.type;
    const expected = {
      kind: 'data',
      type: leaderType,
      columnNumber: own.codesColumn,
      rowCount,
      maxBodyBytes: 1 << 28,
    } as const;
    const opened = openPage(file.subarray(at, at + pageBytes), {
      expected,
      verifyCrc: true,
      location: { ...location, byteOffset: at, page },
      scratch,
      dictionary: dictionary?.chunk ?? null,
    });
    at += pageBytes;
    if (own.joint && dictionary !== null)
      rows.push(...Array.from(pageJointCodes(opened), (code) => dictionary.rows[code]!));
    else rows.push(...pageRows(opened, type));
  }
  return rows;
}

function readDictionary(
  file: Uint8Array,
  { byteOffset, dictionaryBytes, joint }: ChunkEntry,
  type: ColumnType,
  columnNumber: number,
): { chunk: ChunkDictionary; rows: (string | null)[] } {
  const expected = { kind: 'dictionary', type, columnNumber, rowCount: null, maxBodyBytes: 1 << 28 } as const;
  const location = { path: '<test>', region: 'dictionary page', byteOffset };
  const open = () =>
    openPage(file.subarray(byteOffset, byteOffset + dictionaryBytes), {
      expected,
      verifyCrc: true,
      location,
      scratch: new Scratch(),
      dictionary: null,
    });
  return {
    chunk: joint
      ? { entryCount: open().header.rowCount, entries: { kind: 'wide', count: 0, words: new Uint32Array(0) } }
      : pageDictionary(open()),
    rows: pageRows(open(), type),
  };
}

/** All rows of a page, nulls where they are. */
export function pageRows(page: OpenPage, type: ColumnType): (string | null)[] {
  const { rowCount, valueCount } = page.header;
  const values =
    type.domain === 'strings'
      ? stringTexts(pageStrings(page, 0, valueCount), type)
      : vectorTexts(pageVector(page, 0, valueCount), type);
  let next = 0;
  return Array.from({ length: rowCount }, (_, row) =>
    valueCount === rowCount || (page.validity !== null && isSet(page.validity, row)) ? values[next++]! : null,
  );
}

/** The items of a vector as text. */
export function vectorTexts(vector: Vector, type: ColumnType): string[] {
  const bytes = new Uint8Array(vector.count * type.itemBytes);
  emit(vector, itemTarget(type, bytes), 0);
  return patterns(bytes, type);
}

export function stringTexts(strings: Strings, type: ColumnType): string[] {
  const entries = strings.kind === 'coded' ? strings.entries : strings;
  const texts = Array.from({ length: entries.count }, (_, i) => {
    const bytes = entries.bytes.subarray(i === 0 ? entries.start : entries.ends[i - 1], entries.ends[i]);
    return type.name === 'string'
      ? new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      : Buffer.from(bytes).toString('hex');
  });
  return strings.kind === 'coded' ? Array.from(strings.codes, (code) => texts[code]!) : texts;
}

/** Every value at once or a slice of it: what ranges are checked against. */
export function pickedTexts(vector: Vector, positions: Uint32Array, type: ColumnType): string[] {
  return vectorTexts(pickVector(vector, positions, type.domain, new Scratch()), type);
}
