// A file of text whose types are known -> input columns for any writer: blocks are read and parsed when their rows are
// asked for, and kept while there is room, so that neither the order in which a writer asks nor the size of the file
// decides how much memory it takes.
import { parseDType } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { operationOf, perform } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import type { Chunk } from '../chunk/chunk.ts';
import { ChunkJoiner } from '../chunk/chunk-joiner.ts';
import type { InputColumn, InputColumns } from '../input/input-columns.ts';
import { stretchOfRow } from '../row-search.ts';
import type { Field } from '../source.ts';
/** Bytes that are reckoned for a string. */
const STRING_BYTES = 48;
/** What is read again may be more than was let go of. */
const MARGIN = 1.25;

/** Where a block of rows lies. */
export interface TextBlock {
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly firstRow: number;
  readonly rowCount: number;
}

/** Columns from `start` up to `end`. */
export interface ColumnRange {
  readonly start: number;
  readonly end: number;
}

/** A file that was gone through: what its rows are, and who parses some columns of a block of them. */
export interface TextTable {
  readonly fields: readonly Field[];
  readonly rowCount: number;
  /** Most bytes of parsed values that are kept. */
  readonly memoryBytes: number;
  readonly blocks: readonly TextBlock[];
  /** Blocks of which all columns are parsed already, by number. */
  readonly parsed?: ReadonlyMap<number, readonly Chunk[]>;
  parse(block: TextBlock, columns: ColumnRange): Promise<readonly Chunk[]>;
  parseSync(block: TextBlock, columns: ColumnRange): readonly Chunk[];
}

/** What a row of parsed values is reckoned at. */
export function rowBytesOf(infos: readonly DTypeInfo[]): number {
  return infos.reduce((sum, info) => sum + valueBytesOf(info), 0);
}

function valueBytesOf({ itemBytes }: DTypeInfo): number {
  return itemBytes === 0 ? STRING_BYTES : itemBytes;
}

export function blockColumns(table: TextTable): InputColumns {
  const { fields, rowCount } = table;
  const infos = fields.map(({ dtype }) => parseDType(dtype));
  const data = new BlockData(table, infos);
  const columns = fields.map(
    (field, column) => new BlockColumn(data, field, infos[column] as DTypeInfo, column, rowCount),
  );
  return { fields, rowCount, columns };
}

/** A part of a block's rows that a read covers. */
interface Part {
  readonly block: number;
  readonly start: number;
  readonly end: number;
}

/** Columns of a block that were parsed at once. */
interface Parsed {
  readonly columns: ColumnRange;
  readonly chunks: readonly Chunk[];
  readonly byteLength: number;
}

class BlockData {
  readonly #table: TextTable;
  readonly #infos: readonly DTypeInfo[];
  /** By block, the one that was used last at the end. */
  readonly #kept = new Map<number, Parsed>();
  #keptBytes = 0;
  /** By block: the columns that were parsed last, and how many rows had been parsed by then. */
  readonly #last = new Map<number, { readonly columns: ColumnRange; readonly rows: number }>();
  #rows = 0;
  /** Rows whose values are kept together; 0: as many as there is room for, of all columns. */
  #rowsAtOnce = 0;
  /** How many rows had been parsed when that was found out. */
  #learntAt = -1;

  constructor(table: TextTable, infos: readonly DTypeInfo[]) {
    this.#table = table;
    this.#infos = infos;
    const columns = { start: 0, end: infos.length };
    for (const [block, chunks] of table.parsed ?? []) this.#keep(block, columns, chunks);
  }

  *read(column: number, start: number, end: number): Work<Chunk> {
    const chunks: Chunk[] = [];
    const parts = this.#parts(start, end);
    for (const { block } of parts) chunks.push(this.#known(block, column) ?? (yield* this.#parse(block, column)));
    return this.#joined(column, parts, chunks);
  }

  *#parse(number: number, column: number): Work<Chunk> {
    this.#learn(number, column);
    const columns = this.#columnsFrom(column);
    const block = this.#block(number);
    const chunks = yield* perform<readonly Chunk[]>({
      run: () => this.#table.parse(block, columns),
      runSync: () => this.#table.parseSync(block, columns),
    });
    this.#keep(number, columns, chunks);
    return chunks[column - columns.start] as Chunk;
  }

  /**
   * Whether values were let go of before they were asked for: then whoever reads goes through more rows, column by
   * column, than there is room for, and from now on fewer columns are kept, so that those of all these rows are there.
   */
  #learn(number: number, column: number): void {
    const last = this.#last.get(number);
    if (last === undefined || !isWithin(column, last.columns) || last.rows <= this.#learntAt) return;
    this.#rowsAtOnce = Math.max(this.#rows - last.rows, this.#rowsAtOnce) * MARGIN;
    this.#learntAt = this.#rows;
  }

  #columnsFrom(start: number): ColumnRange {
    const { length } = this.#infos;
    if (this.#rowsAtOnce === 0) return { start: 0, end: length };
    let [end, byteLength] = [start, 0];
    do {
      byteLength += this.#rowsAtOnce * valueBytesOf(this.#infos[end] as DTypeInfo);
      end += 1;
    } while (
      end < length &&
      byteLength + this.#rowsAtOnce * valueBytesOf(this.#infos[end] as DTypeInfo) <= this.#table.memoryBytes
    );
    return { start, end };
  }

  #block(number: number): TextBlock {
    return this.#table.blocks[number] as TextBlock;
  }

  #known(block: number, column: number): Chunk | null {
    const kept = this.#kept.get(block);
    if (kept === undefined || !isWithin(column, kept.columns)) return null;
    this.#kept.delete(block);
    this.#kept.set(block, kept);
    return kept.chunks[column - kept.columns.start] as Chunk;
  }

  /** Lets go of blocks that were not used for longest. */
  #keep(number: number, columns: ColumnRange, chunks: readonly Chunk[]): void {
    const { rowCount } = this.#block(number);
    this.#forget(number);
    const byteLength = rowCount * rowBytesOf(this.#infos.slice(columns.start, columns.end));
    this.#kept.set(number, { columns, chunks, byteLength });
    this.#keptBytes += byteLength;
    this.#rows += rowCount;
    this.#last.set(number, { columns, rows: this.#rows });
    for (const old of this.#kept.keys()) {
      if (this.#keptBytes <= this.#table.memoryBytes || old === number) break;
      this.#forget(old);
    }
  }

  #forget(number: number): void {
    this.#keptBytes -= this.#kept.get(number)?.byteLength ?? 0;
    this.#kept.delete(number);
  }

  #parts(start: number, end: number): readonly Part[] {
    const parts: Part[] = [];
    for (let block = stretchOfRow(start, this.#table.blocks); block < this.#table.blocks.length; block += 1) {
      const { firstRow, rowCount } = this.#block(block);
      if (firstRow >= end) break;
      const [from, to] = [Math.max(start, firstRow), Math.min(end, firstRow + rowCount)];
      if (to > from) parts.push({ block, start: from - firstRow, end: to - firstRow });
    }
    return parts;
  }

  #joined(column: number, parts: readonly Part[], chunks: readonly Chunk[]): Chunk {
    const [part, chunk] = [parts[0], chunks[0]];
    if (parts.length === 1 && part?.start === 0 && chunk !== undefined && part.end === chunk.rowCount) return chunk;
    const joiner = new ChunkJoiner(
      (this.#infos[column] as DTypeInfo).itemBytes,
      parts.reduce((sum, { start, end }) => sum + end - start, 0),
    );
    for (const [index, { start, end }] of parts.entries()) joiner.add(chunks[index] as Chunk, start, end);
    return joiner.take();
  }
}

function isWithin(column: number, { start, end }: ColumnRange): boolean {
  return column >= start && column < end;
}

class BlockColumn implements InputColumn {
  readonly field: Field;
  readonly info: DTypeInfo;
  readonly rowCount: number;
  readonly #data: BlockData;
  readonly #column: number;

  constructor(data: BlockData, field: Field, info: DTypeInfo, column: number, rowCount: number) {
    this.#data = data;
    this.field = field;
    this.info = info;
    this.#column = column;
    this.rowCount = rowCount;
  }

  read(start: number, end: number): Operation<Chunk> {
    return operationOf(() => this.#data.read(this.#column, start, end));
  }
}
