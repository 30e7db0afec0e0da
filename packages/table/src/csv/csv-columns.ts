// A CSV file whose types are known -> input columns for any writer: blocks are read and parsed when their rows are
// asked for, and kept while there is room, so that neither the order in which a writer asks nor the size of the file
// decides how much memory it takes.
import { parseDType } from '@colkit/io';
import type { DType, DTypeInfo } from '@colkit/io';
import type { InputChunk, InputColumn, InputColumns } from '../input/input-columns.ts';
import { stretchOfRow } from '../row-search.ts';
import type { Field } from '../source.ts';
import { isValid, setValid } from '../validity.ts';
import type { ColumnPart } from './blocks/column-parts.ts';
import type { CsvFile, CsvRows } from './file/csv-file.ts';
import type { OwnLane } from './file/own-lane.ts';

/** Bytes that are reckoned for a string. */
const STRING_BYTES = 48;

/** Where a block of rows lies. */
export type CsvBlock = Pick<CsvRows, 'byteOffset' | 'byteLength' | 'firstRow' | 'rowCount'>;

/** A part of a block's rows that a read covers. */
interface Part {
  readonly block: number;
  readonly start: number;
  readonly end: number;
}

export class CsvData {
  readonly input: InputColumns;
  readonly #file: CsvFile;
  readonly #blocks: readonly CsvBlock[];
  readonly #infos: readonly DTypeInfo[];
  readonly #dtypes: readonly DType[];
  readonly #lane: OwnLane;
  /** Parsed columns by block, the one that was used last at the end. */
  readonly #kept = new Map<number, readonly InputChunk[]>();
  readonly #rowBytes: number;
  #keptBytes = 0;

  /** @param file one that was gone through, and the blocks that it gave. */
  constructor(file: CsvFile, blocks: readonly CsvBlock[], lane: OwnLane) {
    const { fields, rowCount } = file;
    this.#file = file;
    this.#blocks = blocks;
    this.#dtypes = fields.map(({ dtype }) => dtype);
    this.#infos = this.#dtypes.map(parseDType);
    this.#lane = lane;
    this.#rowBytes = this.#infos.reduce((sum, { itemBytes }) => sum + (itemBytes === 0 ? STRING_BYTES : itemBytes), 0);
    this.input = {
      fields,
      rowCount,
      columns: fields.map(
        (field, column) => new CsvColumn(this, field, this.#infos[column] as DTypeInfo, column, rowCount),
      ),
    };
  }

  async read(column: number, start: number, end: number): Promise<InputChunk> {
    const chunks: InputChunk[] = [];
    const parts = this.#parts(start, end);
    for (const { block } of parts)
      chunks.push(
        this.#known(block, column) ??
          this.#keep(block, column, await this.#file.parse(this.#block(block), this.#dtypes, this.#lane)),
      );
    return this.#joined(column, parts, chunks);
  }

  readSync(column: number, start: number, end: number): InputChunk {
    const parts = this.#parts(start, end);
    return this.#joined(
      column,
      parts,
      parts.map(
        ({ block }) =>
          this.#known(block, column) ??
          this.#keep(block, column, this.#file.parseSync(this.#block(block), this.#dtypes, this.#lane)),
      ),
    );
  }

  #block(number: number): CsvBlock {
    return this.#blocks[number] as CsvBlock;
  }

  #known(block: number, column: number): InputChunk | null {
    const kept = this.#kept.get(block);
    if (kept === undefined) return null;
    this.#kept.delete(block);
    this.#kept.set(block, kept);
    return kept[column] as InputChunk;
  }

  /** Keeps all columns of a block, and lets go of blocks that were not used for longest. */
  #keep(number: number, wanted: number, parts: readonly ColumnPart[]): InputChunk {
    const { rowCount } = this.#block(number);
    const chunks = parts.map((part) => chunkOf(part, rowCount));
    if (!this.#kept.has(number)) this.#keptBytes += rowCount * this.#rowBytes;
    this.#kept.set(number, chunks);
    for (const old of this.#kept.keys()) {
      if (this.#keptBytes <= this.#file.memoryBytes || old === number) break;
      this.#keptBytes -= this.#block(old).rowCount * this.#rowBytes;
      this.#kept.delete(old);
    }
    return chunks[wanted] as InputChunk;
  }

  #parts(start: number, end: number): readonly Part[] {
    const parts: Part[] = [];
    for (let block = stretchOfRow(start, this.#blocks); block < this.#blocks.length; block += 1) {
      const { firstRow, rowCount } = this.#block(block);
      if (firstRow >= end) break;
      const [from, to] = [Math.max(start, firstRow), Math.min(end, firstRow + rowCount)];
      if (to > from) parts.push({ block, start: from - firstRow, end: to - firstRow });
    }
    return parts;
  }

  #joined(column: number, parts: readonly Part[], chunks: readonly InputChunk[]): InputChunk {
    const info = this.#infos[column] as DTypeInfo;
    const [part, chunk] = [parts[0], chunks[0]];
    if (
      parts.length === 1 &&
      part !== undefined &&
      chunk !== undefined &&
      part.start === 0 &&
      part.end === this.#block(part.block).rowCount
    )
      return chunk;
    const count = parts.reduce((sum, { start, end }) => sum + end - start, 0);
    const validity = joinValidity(parts, chunks, count);
    if (info.kind === 'string') return { kind: 'values', values: joinValues(parts, chunks, count), validity };
    const bytes = new Uint8Array(count * info.itemBytes);
    let used = 0;
    for (const [index, { start, end }] of parts.entries()) {
      bytes.set(bytesOf(chunks[index]).subarray(start * info.itemBytes, end * info.itemBytes), used);
      used += (end - start) * info.itemBytes;
    }
    return { kind: 'fixed', bytes, validity };
  }
}

class CsvColumn implements InputColumn {
  readonly field: Field;
  readonly info: DTypeInfo;
  readonly rowCount: number;
  readonly #data: CsvData;
  readonly #column: number;

  constructor(data: CsvData, field: Field, info: DTypeInfo, column: number, rowCount: number) {
    this.#data = data;
    this.field = field;
    this.info = info;
    this.#column = column;
    this.rowCount = rowCount;
  }

  async read(start: number, end: number, signal?: AbortSignal): Promise<InputChunk> {
    signal?.throwIfAborted();
    return this.#data.read(this.#column, start, end);
  }

  readSync(start: number, end: number): InputChunk {
    return this.#data.readSync(this.#column, start, end);
  }
}

function chunkOf(part: ColumnPart, rowCount: number): InputChunk {
  if (part.kind === 'fixed') return part;
  const { ends, codes, validity } = part;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  // Decoders refuse shared memory.
  const bytes = part.bytes.slice();
  const texts = Array.from(ends, (end, place) =>
    decoder.decode(bytes.subarray(place === 0 ? 0 : ends[place - 1], end)),
  );
  const values = new Array<string>(rowCount);
  for (let row = 0; row < rowCount; row += 1)
    values[row] = isValid(validity, row) ? (texts[codes === null ? row : (codes[row] as number)] as string) : '';
  return { kind: 'values', values, validity };
}

function joinValidity(parts: readonly Part[], chunks: readonly InputChunk[], count: number): Uint8Array | null {
  if (chunks.every(({ validity }) => validity === null)) return null;
  const joined = new Uint8Array((count + 7) >>> 3);
  let used = 0;
  for (const [index, { start, end }] of parts.entries()) {
    const validity = chunks[index]?.validity ?? null;
    for (let row = start; row < end; row += 1, used += 1) if (isValid(validity, row)) setValid(joined, used);
  }
  return joined;
}

/** A plain loop: `flatMap` takes twenty times as long. */
function joinValues(
  parts: readonly Part[],
  chunks: readonly InputChunk[],
  count: number,
): readonly (string | Uint8Array)[] {
  const joined = new Array<string | Uint8Array>(count);
  let used = 0;
  for (const [index, { start, end }] of parts.entries()) {
    const chunk = chunks[index];
    const values = chunk?.kind === 'values' ? chunk.values : [];
    for (let row = start; row < end; row += 1, used += 1) joined[used] = values[row] as string | Uint8Array;
  }
  return joined;
}

function bytesOf(chunk: InputChunk | undefined): Uint8Array {
  return chunk?.kind === 'fixed' ? chunk.bytes : new Uint8Array(0);
}
