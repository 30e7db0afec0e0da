// A scanned file -> input columns for any writer: blocks are read and parsed when their rows are asked for, and kept while there is room, so that neither the order in which a writer
// asks nor the size of the file decides how much memory it takes.
import { ClosedError, parseDType } from '@colkit/io';
import type { DTypeInfo, RandomAccessSource } from '@colkit/io';
import type { InputChunk, InputColumn, InputColumns } from '../input/input-columns.ts';
import type { Field } from '../source.ts';
import { isValid, setValid } from '../validity.ts';
import type { CsvPlan } from './csv-options.ts';
import { parseChunk } from './parse-chunk.ts';
import type { CsvBlock, CsvScan } from './scan-csv.ts';
import { TextCache } from './text-cache.ts';
import { Tokenizer } from './tokenizer.ts';

/** Bytes that are reckoned for a string. */
const STRING_BYTES = 48;

/** A part of a block's rows that a read covers. */
interface Part {
  readonly block: number;
  readonly start: number;
  readonly end: number;
}

export class CsvData {
  readonly input: InputColumns;
  readonly #source: RandomAccessSource;
  readonly #plan: CsvPlan;
  readonly #scan: CsvScan;
  readonly #infos: readonly DTypeInfo[];
  readonly #tokenizer: Tokenizer;
  readonly #texts: readonly TextCache[];
  /** Parsed columns by block, the one that was used last at the end. */
  readonly #kept = new Map<number, Map<number, InputChunk>>();
  readonly #wholeFits: boolean;
  #keptBytes = 0;
  #lastColumn = -1;

  constructor(source: RandomAccessSource, plan: CsvPlan, scan: CsvScan) {
    this.#source = source;
    this.#plan = plan;
    this.#scan = scan;
    this.#infos = scan.fields.map(({ dtype }) => parseDType(dtype));
    this.#tokenizer = new Tokenizer(plan.dialect);
    this.#tokenizer.skipsBlank = scan.fields.length > 1;
    this.#tokenizer.columns = scan.fields.length;
    this.#texts = scan.fields.map(() => new TextCache());
    this.#wholeFits = scan.rowCount * this.#infos.reduce((sum, info) => sum + widthOf(info), 0) <= plan.memoryBytes;
    this.input = { fields: scan.fields, rowCount: scan.rowCount, columns: scan.fields.map((field, column) => new CsvColumn(this, field, this.#infos[column] as DTypeInfo, column, scan.rowCount)) };
  }

  async read(column: number, start: number, end: number, signal?: AbortSignal): Promise<InputChunk> {
    const chunks: InputChunk[] = [];
    const parts = this.#parts(start, end);
    for (const { block } of parts) {
      const known = this.#known(block, column);
      if (known !== null) {
        chunks.push(known);
        continue;
      }
      const bytes = this.#memory(block);
      await this.#source.read(this.#block(block).byteOffset, bytes, signal);
      chunks.push(this.#parse(block, column, bytes));
    }
    return this.#joined(column, parts, chunks);
  }

  readSync(column: number, start: number, end: number): InputChunk {
    const parts = this.#parts(start, end);
    const chunks = parts.map(({ block }) => {
      const known = this.#known(block, column);
      if (known !== null) return known;
      const bytes = this.#memory(block);
      this.#source.readSync(this.#block(block).byteOffset, bytes);
      return this.#parse(block, column, bytes);
    });
    return this.#joined(column, parts, chunks);
  }

  #block(number: number): CsvBlock {
    return this.#scan.blocks[number] as CsvBlock;
  }

  #memory(block: number): Uint8Array {
    if (this.#source.closed) throw new ClosedError('read', this.#source.path);
    return new Uint8Array(this.#block(block).byteLength);
  }

  #known(block: number, column: number): InputChunk | null {
    const kept = this.#kept.get(block);
    const chunk = kept?.get(column);
    if (kept === undefined || chunk === undefined) return null;
    this.#kept.delete(block);
    this.#kept.set(block, kept);
    return chunk;
  }

  /** Parses all columns of a block: they share the search for cells. Where a writer goes through one long column after the other, and not all of it can be kept, only that one. */
  #parse(number: number, wanted: number, bytes: Uint8Array): InputChunk {
    const { accepted, rowCount, lengths } = this.#block(number);
    if (lengths === null) this.#tokenizer.tokenize(bytes, bytes.length, true);
    else this.#tokenizer.restore(lengths, this.#infos.length);
    const alone = !this.#wholeFits && this.#lastColumn === wanted;
    this.#lastColumn = wanted;
    const kept = this.#kept.get(number) ?? new Map<number, InputChunk>();
    for (const [column, info] of this.#infos.entries()) {
      if ((alone && column !== wanted) || kept.has(column)) continue;
      const { nullable } = this.#scan.fields[column] as Field;
      kept.set(column, parseChunk(info, nullable, { bytes, tokenizer: this.#tokenizer, column, rowCount, accepted, nullWords: this.#plan.nullWords, texts: this.#texts[column] as TextCache }));
      this.#keptBytes += rowCount * widthOf(info);
    }
    this.#kept.delete(number);
    this.#kept.set(number, kept);
    this.#forget(number);
    return kept.get(wanted) as InputChunk;
  }

  /** Lets go of blocks that were not used for longest. */
  #forget(current: number): void {
    for (const [number, chunks] of this.#kept) {
      if (this.#keptBytes <= this.#plan.memoryBytes || number === current) return;
      for (const column of chunks.keys()) this.#keptBytes -= this.#block(number).rowCount * widthOf(this.#infos[column] as DTypeInfo);
      this.#kept.delete(number);
    }
  }

  #parts(start: number, end: number): readonly Part[] {
    const { blocks } = this.#scan;
    let [low, high] = [0, blocks.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#block(middle).firstRow <= start) low = middle;
      else high = middle - 1;
    }
    const parts: Part[] = [];
    for (let block = low; block < blocks.length; block += 1) {
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
    if (parts.length === 1 && part !== undefined && chunk !== undefined && part.start === 0 && part.end === this.#block(part.block).rowCount) return chunk;
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

  read(start: number, end: number, signal?: AbortSignal): Promise<InputChunk> {
    return this.#data.read(this.#column, start, end, signal);
  }

  readSync(start: number, end: number): InputChunk {
    return this.#data.readSync(this.#column, start, end);
  }
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
function joinValues(parts: readonly Part[], chunks: readonly InputChunk[], count: number): readonly (string | Uint8Array)[] {
  const joined = new Array<string | Uint8Array>(count);
  let used = 0;
  for (const [index, { start, end }] of parts.entries()) {
    const values = valuesOf(chunks[index]);
    for (let row = start; row < end; row += 1, used += 1) joined[used] = values[row] as string | Uint8Array;
  }
  return joined;
}

function valuesOf(chunk: InputChunk | undefined): readonly (string | Uint8Array)[] {
  return chunk?.kind === 'values' ? chunk.values : [];
}

function bytesOf(chunk: InputChunk | undefined): Uint8Array {
  return chunk?.kind === 'fixed' ? chunk.bytes : new Uint8Array(0);
}

function widthOf(info: DTypeInfo): number {
  return info.itemBytes === 0 ? STRING_BYTES : info.itemBytes;
}
