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

/** Where a block of rows lies. */
export interface TextBlock {
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly firstRow: number;
  readonly rowCount: number;
}

/** A file that was gone through: what its rows are, and who parses a block of them, all columns at once. */
export interface TextTable {
  readonly fields: readonly Field[];
  readonly rowCount: number;
  /** Most bytes of parsed values that are kept. */
  readonly memoryBytes: number;
  readonly blocks: readonly TextBlock[];
  /** Blocks that are parsed already, by number. */
  readonly parsed?: ReadonlyMap<number, readonly Chunk[]>;
  parse(block: TextBlock): Promise<readonly Chunk[]>;
  parseSync(block: TextBlock): readonly Chunk[];
}

/** What a row of parsed values is reckoned at. */
export function rowBytesOf(infos: readonly DTypeInfo[]): number {
  return infos.reduce((sum, { itemBytes }) => sum + (itemBytes === 0 ? STRING_BYTES : itemBytes), 0);
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

class BlockData {
  readonly #table: TextTable;
  readonly #infos: readonly DTypeInfo[];
  /** Parsed columns by block, the one that was used last at the end. */
  readonly #kept = new Map<number, readonly Chunk[]>();
  readonly #rowBytes: number;
  #keptBytes = 0;

  constructor(table: TextTable, infos: readonly DTypeInfo[]) {
    this.#table = table;
    this.#infos = infos;
    this.#rowBytes = rowBytesOf(infos);
    for (const [block, chunks] of table.parsed ?? []) this.#keep(block, chunks);
  }

  *read(column: number, start: number, end: number): Work<Chunk> {
    const chunks: Chunk[] = [];
    const parts = this.#parts(start, end);
    for (const { block } of parts)
      chunks.push(
        this.#known(block, column) ?? (this.#keep(block, yield* perform(this.#parsed(block)))[column] as Chunk),
      );
    return this.#joined(column, parts, chunks);
  }

  #parsed(number: number): Operation<readonly Chunk[]> {
    const block = this.#block(number);
    return { run: () => this.#table.parse(block), runSync: () => this.#table.parseSync(block) };
  }

  #block(number: number): TextBlock {
    return this.#table.blocks[number] as TextBlock;
  }

  #known(block: number, column: number): Chunk | null {
    const kept = this.#kept.get(block);
    if (kept === undefined) return null;
    this.#kept.delete(block);
    this.#kept.set(block, kept);
    return kept[column] as Chunk;
  }

  /** Keeps all columns of a block, and lets go of blocks that were not used for longest. */
  #keep(number: number, chunks: readonly Chunk[]): readonly Chunk[] {
    const { rowCount } = this.#block(number);
    if (!this.#kept.has(number)) this.#keptBytes += rowCount * this.#rowBytes;
    this.#kept.set(number, chunks);
    for (const old of this.#kept.keys()) {
      if (this.#keptBytes <= this.#table.memoryBytes || old === number) break;
      this.#keptBytes -= this.#block(old).rowCount * this.#rowBytes;
      this.#kept.delete(old);
    }
    return chunks;
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
