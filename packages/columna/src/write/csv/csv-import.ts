// A CSV file -> its encoded row groups, in one pass where that can be: blocks are parsed as what a sample says the
// columns are, and their row groups encoded and kept, while the pass finds out what the columns really are. What turns
// out to be parsed as something else, and what there was no room for, is parsed again afterwards.
import type { DType } from '@colkit/io';
import { stretchOfRow } from '@colkit/table';
import type { Field } from '@colkit/table';
import type { CsvFile, CsvRows } from '@colkit/table/csv';
import { sliceRows } from './csv-rows.ts';
import type { CsvLanes, EncodedGroup } from './encoding-lane.ts';
import type { BlockRows } from './csv-rows.ts';
import { chunkBytes } from '../encode/encode-chunk.ts';
import type { FileOptions } from '../file/file-encoder.ts';

/** Which bytes and rows a block has. */
type BlockRange = Pick<CsvRows, 'byteOffset' | 'byteLength' | 'firstRow' | 'rowCount'>;

export class CsvImport {
  readonly #file: CsvFile;
  readonly #lanes: CsvLanes;
  readonly #options: FileOptions;
  readonly #rowGroupSize: number;
  readonly #blocks: BlockRange[] = [];
  /** Row groups of the types that are expected now. */
  readonly #kept = new Map<number, Promise<EncodedGroup>>();
  readonly #encoding = new Set<Promise<unknown>>();
  #keptBytes = 0;
  /** Rows of the row group that is next; null: it lacks some, or has some of other types. */
  #rows: BlockRows[] | null = [];
  #rowsOf: readonly DType[] | null = null;
  #fields: readonly Field[] = [];
  /** Blocks that were parsed again, by number. */
  readonly #again = new Map<number, Promise<BlockRows>>();
  /** Row groups are put together again one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(file: CsvFile, lanes: CsvLanes, options: FileOptions, rowGroupSize: number) {
    this.#file = file;
    this.#lanes = lanes;
    this.#options = options;
    this.#rowGroupSize = rowGroupSize;
  }

  /** Looks at the whole file. @throws ArgumentError for a row that cannot be taken. */
  async look(signal: AbortSignal | undefined): Promise<readonly Field[]> {
    const file = this.#file;
    if (file.memoryBytes > 0) await file.expectTypes();
    for await (const block of file.blocks(this.#lanes)) {
      const { byteOffset, byteLength, firstRow, rowCount } = block;
      this.#blocks.push({ byteOffset, byteLength, firstRow, rowCount });
      if (file.expected !== this.#rowsOf) this.#forget();
      this.#take(block);
      while (this.#encoding.size > this.#lanes.groupsAhead) await Promise.race(this.#encoding);
      if (this.#keptBytes > file.memoryBytes) file.expectNothing();
      signal?.throwIfAborted();
    }
    this.#fields = file.fields;
    if (this.#rows !== null && this.#rows.length > 0)
      this.#keep(Math.floor((file.rowCount - 1) / this.#rowGroupSize), this.#rows);
    // Fewer types than a sample had found: what was taken for text, or for a float, is something else.
    if (this.#rowsOf?.some((dtype, column) => dtype !== this.#fields[column]?.dtype) === true) this.#kept.clear();
    return this.#fields;
  }

  /** The row groups in their order, after `look`. Some are made while one is waited for. */
  async *rowGroups(): AsyncGenerator<EncodedGroup & { readonly rowCount: number }, void, undefined> {
    const { rowCount } = this.#file;
    const groups = Math.ceil(rowCount / this.#rowGroupSize);
    const begun: Promise<EncodedGroup>[] = [];
    for (let group = 0; group < groups; group++) {
      for (let next = group + begun.length; next < groups && begun.length <= this.#lanes.groupsAhead; next++)
        begun.push(this.#begin(next));
      const encoded = await (begun.shift() as Promise<EncodedGroup>);
      yield { ...encoded, rowCount: Math.min(this.#rowGroupSize, rowCount - group * this.#rowGroupSize) };
    }
  }

  /**
   * What was encoded is of types that are no longer expected. (What was only not kept for want of memory stays good, as
   * long as the types are.)
   */
  #forget(): void {
    this.#rows = null;
    if (this.#file.expected === null) return;
    this.#rowsOf = this.#file.expected;
    this.#kept.clear();
    this.#keptBytes = 0;
  }

  #take({ chunks, dtypes, firstRow, rowCount }: CsvRows): void {
    const isWanted = chunks !== null && dtypes === this.#file.expected;
    for (let row = 0; row < rowCount; ) {
      const group = Math.floor((firstRow + row) / this.#rowGroupSize);
      const groupStart = group * this.#rowGroupSize;
      if (firstRow + row === groupStart) this.#rows = [];
      const end = Math.min(rowCount, groupStart + this.#rowGroupSize - firstRow);
      if (!isWanted) this.#rows = null;
      else
        this.#rows?.push(row === 0 && end === rowCount ? chunks : sliceRows(chunks, this.#expectedFields(), row, end));
      row = end;
      if (firstRow + row === groupStart + this.#rowGroupSize && this.#rows !== null) {
        this.#keep(group, this.#rows);
        this.#rows = [];
      }
    }
  }

  #keep(group: number, blocks: readonly BlockRows[]): void {
    const encoded = this.#encode(group, blocks, this.#expectedFields());
    this.#kept.set(group, encoded);
    const settled: Promise<unknown> = encoded
      .then(
        ({ chunks }) => {
          this.#keptBytes += chunks.reduce((sum, chunk) => sum + chunkBytes(chunk), 0);
        },
        () => undefined,
      )
      .finally(() => this.#encoding.delete(settled));
    this.#encoding.add(settled);
  }

  /** Of the rows of the row group that is next. */
  #expectedFields(): readonly Field[] {
    return this.#file.fields.map((field, column) => ({ ...field, dtype: this.#rowsOf?.[column] ?? field.dtype }));
  }

  #encode(group: number, blocks: readonly BlockRows[], fields: readonly Field[]): Promise<EncodedGroup> {
    const encoded = this.#lanes.encode({
      fields,
      blocks,
      firstRow: group * this.#rowGroupSize,
      options: this.#options,
    });
    // It is waited for in its turn; until then its failure is nobody's.
    encoded.catch(() => undefined);
    return encoded;
  }

  #begin(group: number): Promise<EncodedGroup> {
    const kept = this.#kept.get(group);
    this.#kept.delete(group);
    const encoded = kept ?? this.#encodeAgain(group);
    encoded.catch(() => undefined);
    return encoded;
  }

  async #encodeAgain(group: number): Promise<EncodedGroup> {
    const blocks = this.#turn.then(() => this.#rowsAgain(group));
    this.#turn = blocks.catch(() => undefined);
    return this.#encode(group, await blocks, this.#fields);
  }

  async #rowsAgain(group: number): Promise<BlockRows[]> {
    const start = group * this.#rowGroupSize;
    const end = Math.min(this.#file.rowCount, start + this.#rowGroupSize);
    const blocks: BlockRows[] = [];
    let number = stretchOfRow(start, this.#blocks);
    for (const other of this.#again.keys()) if (other < number) this.#again.delete(other);
    for (; number < this.#blocks.length; number++) {
      const { firstRow, rowCount } = this.#blocks[number] as BlockRange;
      if (firstRow >= end) break;
      if (rowCount === 0) continue;
      const [from, to] = [Math.max(0, start - firstRow), Math.min(rowCount, end - firstRow)];
      // Always a copy: the next row group may want the rest.
      blocks.push(sliceRows(await this.#parseAgain(number), this.#fields, from, to));
    }
    return blocks;
  }

  /** The same block again where two row groups share it; blocks behind it are begun too. */
  #parseAgain(number: number): Promise<BlockRows> {
    const dtypes = this.#fields.map(({ dtype }) => dtype);
    for (let next = number; next < Math.min(this.#blocks.length, number + this.#lanes.ahead); next++) {
      if (this.#again.has(next)) continue;
      const rows = this.#file.parse(this.#blocks[next] as BlockRange, dtypes, this.#lanes);
      rows.catch(() => undefined);
      this.#again.set(next, rows);
    }
    return this.#again.get(number) as Promise<BlockRows>;
  }
}
