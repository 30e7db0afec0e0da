// A field of packed records -> an input column: items are picked out of the records range by range.
import { parseDType } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import type { Operation } from '@colkit/io/effects';
import type { RecordBatch, RecordField } from '../output/record-batch.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type { Field } from '../source.ts';
import { isValid, sliceValidity } from '../validity.ts';
import { readAtOnce } from './input-columns.ts';
import type { InputColumn } from './input-columns.ts';

export class RecordColumn implements InputColumn {
  readonly field: Field;
  readonly info: DTypeInfo;
  readonly rowCount: number;
  readonly #batch: RecordBatch;
  readonly #byteOffset: number;
  readonly #validity: Uint8Array | null;

  constructor(batch: RecordBatch, { name, dtype, nullable, byteOffset }: RecordField) {
    this.info = parseDType(dtype);
    this.rowCount = batch.rowCount;
    this.#batch = batch;
    this.#byteOffset = byteOffset;
    this.#validity = batch.validity(name);
    this.field = { name, dtype, nullable: nullable || this.#validity !== null };
  }

  read(start: number, end: number): Operation<Chunk> {
    return readAtOnce(() => this.#chunk(start, end));
  }

  #chunk(start: number, end: number): Chunk {
    const { bytes: records, byteStride } = this.#batch;
    const { itemBytes } = this.info;
    const bytes = new Uint8Array((end - start) * itemBytes);
    const validity = this.#validity === null ? null : sliceValidity(this.#validity, start, end);
    for (let row = start; row < end; row += 1) {
      if (!isValid(validity, row - start)) continue;
      const from = row * byteStride + this.#byteOffset;
      const to = (row - start) * itemBytes;
      for (let index = 0; index < itemBytes; index += 1) bytes[to + index] = records[from + index] ?? 0;
    }
    return { kind: 'fixed', rowCount: end - start, bytes, validity };
  }
}
