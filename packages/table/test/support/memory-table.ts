// An oracle table as a TableSource in memory: fixed-width columns as bytes behind a gatherer (in one or several
// segments, at odd offsets), nulls and variable width as plain arrays. Encodes by itself, with a DataView, so that it
// shares no mistake with the code under test. Keeps a record of the requests.
import { CannotViewError, ClosedError, MemorySource, createGatherer, parseDType } from '@colkit/io';
import type { DType, DTypeInfo, Gatherer, RandomAccessSource, RowSelection } from '@colkit/io';
import type { Operation, WorkContext } from '@colkit/io/effects';
import type { OracleColumn, OracleTable } from '@colkit/testkit';
import { writtenChunk } from '../../src/index.ts';
import type { Chunk, Field, ReadRequest, TableSource } from '../../src/index.ts';

/** 'coded': each text once, and a code for every row. */
export type Utf8Form = 'values' | 'each' | 'coded';

export interface MemoryTableOptions {
  /** Row numbers where a new segment starts. */
  readonly splits?: readonly number[];
  /** Whether `viewColumn` gives windows (as a mapped source does) or refuses. */
  readonly mapped?: boolean;
  /** How variable-width columns come back, whatever is asked for. */
  readonly strings?: 'values' | 'dictionary';
  /** How texts that are wanted as UTF-8 come back. Default: as values. */
  readonly utf8?: Utf8Form;
  readonly wrap?: (source: RandomAccessSource) => RandomAccessSource;
}

export class MemoryTable implements TableSource {
  readonly name = 'memory';
  readonly rowCount: number;
  readonly fields: readonly Field[];
  readonly requests: ReadRequest[] = [];
  /** Of each of them. */
  readonly contexts: WorkContext[] = [];
  readonly #columns: readonly OracleColumn[];
  readonly #infos: readonly DTypeInfo[];
  readonly #source: RandomAccessSource;
  readonly #gatherer: Gatherer;
  /** Position among the fixed-width columns; -1 for the others. */
  readonly #fixed: readonly number[];
  readonly #starts: readonly number[];
  readonly #parts: readonly (readonly Uint8Array[])[];
  readonly #options: MemoryTableOptions;

  constructor(table: OracleTable, options: MemoryTableOptions = {}) {
    this.rowCount = table.rowCount;
    this.fields = table.columns.map(({ name, dtype, nullable }) => ({ name, dtype: dtype as DType, nullable }));
    this.#columns = table.columns;
    this.#infos = table.columns.map(({ dtype }) => parseDType(dtype));
    this.#options = options;
    let fixed = 0;
    this.#fixed = this.#infos.map((info) => (info.itemBytes === 0 ? -1 : fixed++));
    this.#starts = [0, ...(options.splits ?? []), table.rowCount];
    this.#parts = this.#infos.map((info, column) =>
      info.itemBytes === 0
        ? []
        : this.#starts
            .slice(0, -1)
            .map((start, part) =>
              encodeItems(info, table.columns[column]!.values.slice(start, this.#starts[part + 1])),
            ),
    );
    const { bytes, bases } = this.#layOut();
    const source = new MemorySource(bytes, 'memory');
    this.#source = options.wrap?.(source) ?? source;
    const itemBytes = Int32Array.from(this.#infos.filter((info) => info.itemBytes > 0).map((info) => info.itemBytes));
    this.#gatherer = createGatherer(this.#source, { rowStarts: Float64Array.from(this.#starts), itemBytes, bases });
  }

  get closed(): boolean {
    return this.#source.closed;
  }

  read(request: ReadRequest): Operation<readonly Chunk[]> {
    return {
      run: async (context) => {
        const { signal } = context;
        const fixed = this.#begin(request, context);
        await this.#gatherer.gather({ ...fixed, rows: request.rows, ...(signal === undefined ? {} : { signal }) });
        return this.#data(request);
      },
      runSync: (context) => {
        this.#gatherer.gatherSync({ ...this.#begin(request, context), rows: request.rows });
        return this.#data(request);
      },
    };
  }

  #begin(
    request: ReadRequest,
    context: WorkContext,
  ): { columns: Int32Array; outputs: NonNullable<ReadRequest['outputs'][number]>[] } {
    this.#requireOpen();
    this.requests.push(request);
    this.contexts.push(context);
    return this.#fixedPart(request);
  }

  /** As a mapped file would: bytes of their own per view, so that a write goes nowhere; refused across segments. */
  viewColumn(column: number, start: number, count: number): Uint8Array {
    this.#requireOpen();
    if (this.#options.mapped !== true)
      throw new CannotViewError('ERR_NOT_MAPPED', 'the table is in memory', 'use toColumns()');
    const part = this.#starts.findLastIndex((first, index) => first <= start && index < this.#starts.length - 1);
    if (start + count > this.#starts[part + 1]!)
      throw new CannotViewError('ERR_NOT_CONTIGUOUS', 'the rows lie in two segments', 'use toColumns()');
    const { itemBytes } = this.#infos[column]!;
    const first = (start - this.#starts[part]!) * itemBytes;
    return this.#parts[column]![part]!.slice(first, first + count * itemBytes);
  }

  close(): void {
    this.#source.close();
  }

  #requireOpen(): void {
    if (this.closed) throw new ClosedError('read', this.name);
  }

  #fixedPart({ columns, outputs }: ReadRequest): {
    columns: Int32Array;
    outputs: NonNullable<ReadRequest['outputs'][number]>[];
  } {
    const placed = outputs.filter((output) => output !== null);
    const numbers = columns.map((column) => this.#fixed[column]!);
    outputs.forEach((output, position) => {
      if ((output === null) !== (numbers[position] === -1))
        throw new Error('an output for every fixed-width column, and only for them');
    });
    return { columns: Int32Array.from(numbers.filter((number) => number !== -1)), outputs: placed };
  }

  #data({ columns, rows, strings, outputs }: ReadRequest): Chunk[] {
    const picked = rowNumbers(rows, this.rowCount);
    const rowCount = picked.length;
    return columns.map((number, position): Chunk => {
      const column = this.#columns[number]!;
      const values = picked.map((row) => column.values[row]);
      const validity = values.includes(null) ? bitmapOf(values) : null;
      if (this.#infos[number]!.itemBytes > 0) return writtenChunk(outputs[position]!, rowCount, validity);
      if (column.dtype === 'binary')
        return {
          kind: 'values',
          rowCount,
          values: values.map((value) => (value ?? new Uint8Array(0)) as Uint8Array),
          validity,
        };
      const texts = values.map((value) => (value ?? '') as string);
      const form = this.#options.strings ?? (strings === 'utf8' ? (this.#options.utf8 ?? 'values') : strings);
      if (form === 'values') return { kind: 'values', rowCount, values: texts, validity };
      if (form === 'each') return { kind: 'utf8', rowCount, ...backToBack(texts), codes: null, validity };
      if (form === 'coded') {
        const distinct = [...new Set(texts)];
        const codes = Uint16Array.from(texts, (text) => distinct.indexOf(text));
        return { kind: 'utf8', rowCount, ...backToBack(distinct), codes, validity };
      }
      const dictionary = [...new Set(values.filter((value) => value !== null) as string[])];
      // A null row's code is anything.
      return {
        kind: 'dictionary',
        rowCount,
        codes: Int32Array.from(values, (value) => (value === null ? -1 : dictionary.indexOf(value as string))),
        dictionary,
        validity,
      };
    });
  }

  /** Segment after segment, column after column, each at an odd offset. */
  #layOut(): { bytes: Uint8Array; bases: Float64Array } {
    const segments = this.#starts.length - 1;
    const chunks: Uint8Array[] = [];
    const bases = new Float64Array(segments * (Math.max(-1, ...this.#fixed) + 1));
    let used = 0;
    for (let segment = 0; segment < segments; segment += 1) {
      for (const [column, position] of this.#fixed.entries()) {
        if (position === -1) continue;
        chunks.push(Uint8Array.of(0xee));
        used += 1;
        const part = this.#parts[column]![segment]!;
        bases[position * segments + segment] = used - this.#starts[segment]! * this.#infos[column]!.itemBytes;
        chunks.push(part);
        used += part.length;
      }
    }
    const bytes = new Uint8Array(used);
    let offset = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, offset);
      offset += chunk.length;
    }
    return { bytes, bases };
  }
}

function backToBack(texts: readonly string[]): { readonly bytes: Uint8Array; readonly ends: Uint32Array } {
  const pieces = texts.map((text) => Buffer.from(text));
  let end = 0;
  return { bytes: Buffer.concat(pieces), ends: Uint32Array.from(pieces, ({ length }) => (end += length)) };
}

/** Packed little-endian items, null as zero bytes. */
export function encodeItems(info: DTypeInfo, values: readonly unknown[]): Uint8Array {
  const bytes = new Uint8Array(values.length * info.itemBytes);
  const view = new DataView(bytes.buffer);
  for (const [row, value] of values.entries()) if (value !== null) encodeItem(info, value, view, row * info.itemBytes);
  return bytes;
}

function encodeItem(info: DTypeInfo, value: unknown, view: DataView, at: number): void {
  switch (info.name === 'float128' ? 'int' : info.kind) {
    case 'bool':
      return view.setUint8(at, value === true ? 1 : 0);
    case 'float':
      if (info.itemBytes === 8) return view.setFloat64(at, value as number, true);
      return info.itemBytes === 4
        ? view.setFloat32(at, value as number, true)
        : view.setUint16(at, halfBits(value as number), true);
    case 'bytes':
      for (const [index, unit] of [...(value as string)].entries()) view.setUint8(at + index, unit.charCodeAt(0));
      return;
    case 'unicode':
      for (const [index, point] of [...(value as string)].entries())
        view.setUint32(at + 4 * index, point.codePointAt(0)!, true);
      return;
    default: {
      const all = BigInt.asUintN(128, BigInt(value as number | bigint));
      for (let index = 0; index < info.itemBytes; index += 1)
        view.setUint8(at + index, Number((all >> BigInt(8 * index)) & 0xffn));
    }
  }
}

/** IEEE half of a number that has one exactly. */
function halfBits(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size === Infinity) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | (size * 2 ** 24);
  const exponent = Math.floor(Math.log2(size));
  return sign | ((exponent + 15) << 10) | ((size / 2 ** exponent - 1) * 1024);
}

function rowNumbers(rows: RowSelection, rowCount: number): number[] {
  switch (rows.kind) {
    case 'range':
      return Array.from({ length: rows.count }, (_, index) => rows.start + index * rows.step);
    case 'indices':
      return Array.from(rows.indices as ArrayLike<number | bigint>, (index) =>
        Number(index) < 0 ? Number(index) + rowCount : Number(index),
      );
    case 'mask':
      return [...rows.mask.keys()].filter((row) => rows.mask[row] !== 0);
  }
}

export function bitmapOf(values: readonly unknown[]): Uint8Array {
  const bitmap = new Uint8Array(Math.ceil(values.length / 8));
  values.forEach((value, row) => {
    if (value !== null) bitmap[row >> 3]! |= 1 << (row & 7);
  });
  return bitmap;
}
