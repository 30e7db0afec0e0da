// Extremes of record after record -> the statistics footer of a file that grows. It starts from what the file said
// already: records of which nothing usable is known stay so.
import type { StoredColumn } from '../layout/manifest.ts';
import type { StoredDType } from '../layout/descr.ts';
import { formatStatistics } from '../layout/write-statistics.ts';
import type { ColumnFlags } from '../layout/write-statistics.ts';
import { RecordExtremes } from './record-extremes.ts';

const FIRST_RECORDS = 256;

/** Statistics of one column: per record its smallest and largest item, and whether they are usable. */
class GrowingColumn {
  readonly dtype: StoredDType;
  readonly extremes: RecordExtremes;
  #minimums = new Uint8Array(0);
  #maximums = new Uint8Array(0);
  #flags = new Uint8Array(0);

  constructor(dtype: StoredDType) {
    this.dtype = dtype;
    this.extremes = new RecordExtremes(dtype);
  }

  set(record: number): void {
    const found = this.extremes.take();
    this.#reserve(record + 1);
    const { itemBytes } = this.dtype;
    this.#flags[record] = found === null ? 0 : 1;
    if (found === null) {
      this.#minimums.fill(0, record * itemBytes, (record + 1) * itemBytes);
      this.#maximums.fill(0, record * itemBytes, (record + 1) * itemBytes);
    } else {
      this.#minimums.set(found.min, record * itemBytes);
      this.#maximums.set(found.max, record * itemBytes);
    }
  }

  start({ minimums, maximums, flags }: ColumnFlags): void {
    this.#minimums = new Uint8Array(minimums);
    this.#maximums = new Uint8Array(maximums);
    this.#flags = new Uint8Array(flags);
  }

  upTo(records: number): ColumnFlags {
    this.#reserve(records);
    const bytes = records * this.dtype.itemBytes;
    return {
      minimums: this.#minimums.subarray(0, bytes),
      maximums: this.#maximums.subarray(0, bytes),
      flags: this.#flags.subarray(0, records),
    };
  }

  #reserve(records: number): void {
    if (records <= this.#flags.length) return;
    const room = Math.max(FIRST_RECORDS, records, 2 * this.#flags.length);
    this.#minimums = grown(this.#minimums, room * this.dtype.itemBytes);
    this.#maximums = grown(this.#maximums, room * this.dtype.itemBytes);
    this.#flags = grown(this.#flags, room);
  }
}

export class FooterBuilder {
  readonly #columns: readonly StoredColumn[];
  readonly #growing: readonly GrowingColumn[];

  /** @param known what a sound footer says of the first records; null: nothing. */
  constructor(columns: readonly StoredColumn[], known: readonly ColumnFlags[] | null) {
    this.#columns = columns;
    this.#growing = columns.map(({ dtype }) => new GrowingColumn(dtype));
    known?.forEach((flags, column) => this.#growing[column]?.start(flags));
  }

  /** Items of a record that is being written. */
  add(column: number, items: Uint8Array): void {
    this.#growing[column]?.extremes.add(items);
  }

  /** All items of that record were added. */
  endRecord(record: number): void {
    for (const column of this.#growing) column.set(record);
  }

  /** Items were added of a record that is not to be. */
  dropRecord(): void {
    for (const column of this.#growing) column.extremes.take();
  }

  /** Null where there are no records, or names that a footer cannot hold. */
  format(recordCount: number): Uint8Array | null {
    if (recordCount === 0) return null;
    return formatStatistics(
      this.#columns,
      recordCount,
      this.#growing.map((column) => column.upTo(recordCount)),
    );
  }
}

function grown(bytes: Uint8Array, byteLength: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(byteLength);
  larger.set(bytes);
  return larger;
}
