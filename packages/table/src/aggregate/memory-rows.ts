// Values in memory as the source of a table: what an aggregation gives is a table like any other.
import { CannotViewError, ClosedError, isBinary, isRawItem, parseDType, typedArrayOver } from '@colkit/io';
import type { FixedArray, RowSelection } from '@colkit/io';
import type { Operation } from '@colkit/io/effects';
import { writtenChunk } from '../chunk/chunk.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type { Field, ReadRequest, TableSource } from '../source.ts';
import { setValid } from '../validity.ts';
import { foldIndices } from '../views/indices.ts';
import type { Cell } from './column-values.ts';

interface StoredColumn {
  readonly values: readonly Cell[];
  /** Packed items; null for text and binary. */
  readonly bytes: Uint8Array | null;
  readonly itemBytes: number;
}

export class MemoryRows implements TableSource {
  readonly name: string;
  readonly rowCount: number;
  readonly fields: readonly Field[];
  readonly #columns: readonly StoredColumn[];
  #closed = false;

  /**
   * @param fields of fixed width, but for S and U; string or binary.
   * @param columns for each of them its values.
   */
  constructor(name: string, fields: readonly Field[], columns: readonly (readonly Cell[])[], rowCount: number) {
    this.name = name;
    this.fields = fields;
    this.rowCount = rowCount;
    this.#columns = fields.map(({ dtype }, column) => stored(dtype, columns[column] ?? []));
  }

  get closed(): boolean {
    return this.#closed;
  }

  read(request: ReadRequest): Operation<readonly Chunk[]> {
    const runSync = (): readonly Chunk[] => this.#valuesOf(request);
    return { run: () => Promise.resolve().then(runSync), runSync };
  }

  #valuesOf({ columns, rows, outputs }: ReadRequest): readonly Chunk[] {
    if (this.#closed) throw new ClosedError('read', this.name);
    const numbers = rowNumbersOf(rows, this.rowCount);
    return columns.map((column, position): Chunk => {
      const { values, bytes, itemBytes } = this.#columns[column] as StoredColumn;
      const output = outputs[position] ?? null;
      const validity = this.fields[column]?.nullable === true ? validityOf(values, numbers) : null;
      if (bytes === null || output === null) {
        const { dtype } = this.fields[column] as Field;
        const empty = isBinary(parseDType(dtype)) ? new Uint8Array(0) : '';
        const picked = new Array<string | Uint8Array>(numbers.length);
        for (let index = 0; index < numbers.length; index += 1)
          picked[index] = (values[numbers[index] as number] ?? empty) as string | Uint8Array;
        return { kind: 'values', rowCount: numbers.length, values: picked, validity };
      }
      for (let index = 0; index < numbers.length; index += 1) {
        const from = (numbers[index] as number) * itemBytes;
        output.bytes.set(bytes.subarray(from, from + itemBytes), output.byteOffset + index * output.byteStride);
      }
      return writtenChunk(output, numbers.length, validity);
    });
  }

  viewColumn(): Uint8Array {
    if (this.#closed) throw new ClosedError('viewColumn', this.name);
    throw new CannotViewError('ERR_NOT_MAPPED', `${this.name} has no place in a file`, 'use toColumns()');
  }

  close(): void {
    this.#closed = true;
  }
}

function stored(dtype: Field['dtype'], values: readonly Cell[]): StoredColumn {
  const info = parseDType(dtype);
  const { itemBytes } = info;
  if (itemBytes === 0) return { values, bytes: null, itemBytes };
  const bytes = new Uint8Array(itemBytes * values.length);
  if (isRawItem(info)) {
    for (const [row, value] of values.entries()) if (value instanceof Uint8Array) bytes.set(value, row * itemBytes);
    return { values, bytes, itemBytes };
  }
  const items = typedArrayOver(info, bytes);
  for (const [row, value] of values.entries()) if (value !== null) setItem(items, row, value);
  return { values, bytes, itemBytes };
}

function setItem(items: FixedArray, row: number, value: Cell): void {
  if (items instanceof BigInt64Array || items instanceof BigUint64Array) items[row] = value as bigint;
  else items[row] = Number(value);
}

/** @throws OutOfRangeError before anything is written. */
function rowNumbersOf(rows: RowSelection, rowCount: number): Float64Array {
  switch (rows.kind) {
    case 'range': {
      const numbers = new Float64Array(rows.count);
      for (let index = 0; index < rows.count; index += 1) numbers[index] = rows.start + index * rows.step;
      return numbers;
    }
    case 'indices': {
      const folded = foldIndices(rows.indices, rowCount, 0);
      return folded instanceof BigInt64Array ? Float64Array.from(folded, Number) : Float64Array.from(folded);
    }
    case 'mask': {
      const numbers = new Float64Array(rows.count);
      let used = 0;
      for (let row = 0; row < rows.mask.length; row += 1) if (rows.mask[row] !== 0) numbers[used++] = row;
      return numbers;
    }
  }
}

function validityOf(values: readonly Cell[], numbers: Float64Array): Uint8Array {
  const validity = new Uint8Array((numbers.length + 7) >>> 3);
  for (let index = 0; index < numbers.length; index += 1)
    if (values[numbers[index] as number] !== null) setValid(validity, index);
  return validity;
}
