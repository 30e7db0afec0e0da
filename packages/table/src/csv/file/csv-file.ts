// openCsv: a CSV file, compressed or not, or a stream -> its blocks, parsed on whatever threads there are, for writers
// that take blocks. (`readCsv` is for those that take columns.)
import { checkOptions } from '@colkit/io';
import type { DType, Openable } from '@colkit/io';
import type { Field } from '../../source.ts';
import { BlockParser, anyTypes } from '../blocks/block-parser.ts';
import type { BlockPlan, BlockTask, ParsedBlock } from '../blocks/block-parser.ts';
import { blockMemory, parseBlocks } from './block-stream.ts';
import type { BlockLanes, Expectation, FileBlock } from './block-stream.ts';
import { ColumnGuess } from '../cells/column-guess.ts';
import type { Chunk } from '../../chunk/chunk.ts';
import { readHead } from './csv-head.ts';
import type { CsvHead, CsvNote } from './csv-head.ts';
import { CSV_OPTIONS, parseCsvOptions } from './csv-options.ts';
import type { CsvOptions, CsvPlan } from './csv-options.ts';
import type { OwnLane } from './own-lane.ts';
import { plainSource } from '../../text-input/plain-source.ts';
import type { Plain } from '../../text-input/plain-source.ts';
import { RejectedRows } from '../../text-input/rejected-rows.ts';
import type { RejectedRow } from '../../text-input/rejected-rows.ts';
import { Tokenizer } from '../cells/tokenizer.ts';

/** Looked at before types are expected: the beginning, and samples all over the file. */
const SAMPLES = 8;
const SAMPLE_BYTES = 1 << 15;
/** What a cell of many is reckoned at, so that samples have some whole rows of it, and blocks more. */
const CELL_BYTES = 16;
const MANY_COLUMNS = 512;
const SAMPLE_ROWS = 4;
const BLOCK_ROWS = 32;
const LF = 10;
/** Bytes of a block: what is known of its cells stays in the cache of a core. */
const BLOCK_BYTES = 1 << 18;

/** A block of rows and where they are among those that are taken. */
export interface CsvRows extends FileBlock {
  readonly firstRow: number;
}

export class CsvFile {
  /** For `BlockParser`, wherever it is. */
  readonly plan: BlockPlan;
  /** Bytes of the rows. */
  readonly byteLength: number;
  /** Most bytes of results that a writer should keep before the types are certain. */
  readonly memoryBytes: number;
  readonly #plain: Plain;
  readonly #csv: CsvPlan;
  readonly #head: CsvHead;
  readonly #columns: readonly ColumnGuess[];
  readonly #rejects: RejectedRows;
  readonly #windowBytes: number;
  readonly #sampleBytes: number;
  /** Moments with an offset by column. */
  readonly #shifted: number[];
  #expected: readonly DType[] | null = null;
  /** Columns of which no sample had a value: the first one tells more. */
  #unseen = new Set<number>();
  #rowCount = 0;
  #isAscii = true;

  /** Made by `openCsv`. */
  constructor(plain: Plain, csv: CsvPlan, head: CsvHead, blockBytes: number) {
    const { names } = head;
    const given = head.columns.map((cell) => csv.types.get(names[cell] as string) ?? null);
    this.plan = {
      dialect: csv.dialect,
      cellCount: names.length,
      columns: head.columns.map((cell, column) => ({
        name: names[cell] as string,
        cell,
        given: given[column]?.name ?? null,
      })),
      nullWords: csv.nullWords,
      onError: csv.onError,
    };
    this.byteLength = plain.source.byteLength - head.byteOffset;
    this.memoryBytes = csv.memoryBytes;
    this.#plain = plain;
    this.#csv = csv;
    this.#head = head;
    this.#columns = this.plan.columns.map(({ name }, column) => new ColumnGuess(name, given[column] ?? null));
    this.#rejects = new RejectedRows(plain.name, csv.onError, head.doubt);
    // What is done once a block is done for each column of it.
    const rowBytes = names.length > MANY_COLUMNS ? CELL_BYTES * names.length : 0;
    this.#windowBytes = Math.max(blockBytes, BLOCK_ROWS * rowBytes);
    this.#sampleBytes = Math.max(SAMPLE_BYTES, SAMPLE_ROWS * rowBytes);
    this.#shifted = this.plan.columns.map(() => 0);
  }

  /** The columns by all blocks so far. */
  get fields(): readonly Field[] {
    return this.#columns.map((column) => column.field(this.#csv.text, this.#isAscii));
  }

  /** Rows of all blocks so far. */
  get rowCount(): number {
    return this.#rowCount;
  }

  /**
   * The types that blocks are parsed as; null: blocks are only looked at. Blocks that were parsed as other ones
   * (`dtypes` is another array) are not what the caller wants.
   */
  get expected(): readonly DType[] | null {
    return this.#expected;
  }

  /** Rows that were left out so far (`onError: 'skip'`), the first thousand of them, with line and reason. */
  get rejected(): readonly RejectedRow[] {
    return this.#rejects.rows;
  }

  get rejectedCount(): number {
    return this.#rejects.count;
  }

  /**
   * What its values do not show: names that the header does not have, and, by all blocks so far, moments that had
   * another offset than UTC.
   */
  get notes(): readonly CsvNote[] {
    const { columns } = this.plan;
    const moments = columns.flatMap(({ name: column }, position) => {
      const count = this.#shifted[position] as number;
      return count === 0
        ? []
        : [{ column, note: `${String(count)} ${count === 1 ? 'time' : 'times'} with an offset became UTC` }];
    });
    const read = new Set(columns.map(({ name }) => name));
    const ofNames = this.#head.notes.filter(({ column }) => read.has(column));
    return [...ofNames, ...moments];
  }

  /** From the next block on, blocks are only looked at. */
  expectNothing(): void {
    this.#expected = null;
  }

  /**
   * Looks at samples of the file: from now on, blocks are parsed as what is found there; not where text is to be of
   * fixed width, which only all cells tell.
   */
  async expectTypes(): Promise<void> {
    if (this.#csv.text === 'fixed') return;
    const sampled = await this.#sampled();
    this.#expected = sampled.map((column) => column.field('string', false).dtype);
    this.#unseen = new Set([...sampled.keys()].filter((column) => sampled[column]?.hasValue !== true));
  }

  /**
   * All blocks, once. Where a block shows that a column has another type than was expected, blocks to come are parsed
   * as what is known then.
   * @throws ArgumentError ERR_VALUE naming the line of a row that cannot be taken (unless `onError: 'skip'`);
   * LimitError for a row of more than 256 MiB; IoError.
   */
  async *blocks(lanes: BlockLanes): AsyncGenerator<CsvRows, void, undefined> {
    const { source, name } = this.#plain;
    const { byteOffset, lines } = this.#head;
    const expect = (): Expectation => ({
      dtypes: this.#expected,
      types: this.#columns.map((column) => (column.given === null ? column.types : 0)),
    });
    let line = lines + 1;
    for await (const block of parseBlocks(
      { source, path: name, quote: this.#csv.dialect.quote, byteOffset, lines, signal: this.#csv.signal },
      lanes,
      expect,
      this.#windowBytes,
    )) {
      this.#rejects.add(block.faults, block.faultCount, line);
      line += block.lineCount;
      for (const [column, facts] of block.facts.entries()) this.#columns[column]?.merge(facts);
      this.#isAscii &&= block.isAscii;
      for (const [column, count] of (block.shifted ?? []).entries())
        this.#shifted[column] = (this.#shifted[column] as number) + count;
      if (this.#expected !== null) this.#learn(this.#expected, block);
      const firstRow = this.#rowCount;
      this.#rowCount += block.rowCount;
      yield { ...block, firstRow };
    }
  }

  /** The values of a block, as types that all of its cells fit; null: of a column that is not wanted. */
  async parse(
    block: Pick<CsvRows, 'byteOffset' | 'byteLength'>,
    dtypes: readonly (DType | null)[],
    lanes: BlockLanes,
  ): Promise<readonly Chunk[]> {
    const bytes = blockMemory(block.byteLength, lanes);
    await this.#plain.source.read(block.byteOffset, bytes, this.#csv.signal ?? undefined);
    return this.#chunks(await lanes.parse(again(bytes, dtypes)));
  }

  parseSync(
    block: Pick<CsvRows, 'byteOffset' | 'byteLength'>,
    dtypes: readonly (DType | null)[],
    lane: OwnLane,
  ): readonly Chunk[] {
    const bytes = new Uint8Array(block.byteLength);
    this.#plain.source.readSync(block.byteOffset, bytes);
    return this.#chunks(lane.parseSync(again(bytes, dtypes)));
  }

  #chunks({ chunks }: ParsedBlock): readonly Chunk[] {
    if (chunks === null) throw new Error(`the rows of ${this.#plain.name} are not what they were`);
    return chunks;
  }

  /** Lets go of the file, and removes the temporary one, where there is one. Idempotent. */
  async close(): Promise<void> {
    await this.#plain.close();
  }

  /** Expects other types where the block shows that those that are expected are not right. */
  #learn(expected: readonly DType[], { chunks, dtypes }: FileBlock): void {
    const seen = [...this.#unseen].filter((column) => this.#columns[column]?.hasValue === true);
    for (const column of seen) this.#unseen.delete(column);
    if (seen.length === 0 && (chunks !== null || dtypes !== expected)) return;
    const right = expected.map((dtype, column) => {
      const guess = this.#columns[column] as ColumnGuess;
      return guess.isPossible(dtype) && !seen.includes(column) ? dtype : guess.field('string', false).dtype;
    });
    if (right.some((dtype, column) => dtype !== expected[column])) this.#expected = right;
  }

  /** What is found need not be true: a sample may start within quotes. */
  async #sampled(): Promise<ColumnGuess[]> {
    const { source } = this.#plain;
    const { byteOffset } = this.#head;
    const parser = new BlockParser({ ...this.plan, onError: 'skip' });
    const columns = this.#columns.map(({ name, given }) => new ColumnGuess(name, given));
    const samples = this.byteLength > 2 * SAMPLES * this.#sampleBytes ? SAMPLES : 1;
    for (let sample = 0; sample < samples; sample += 1) {
      const start = byteOffset + Math.floor((sample * (this.byteLength - this.#sampleBytes)) / samples);
      const bytes = new Uint8Array(Math.min(this.#sampleBytes, source.byteLength - start));
      await source.read(start, bytes, this.#csv.signal ?? undefined);
      const first = sample === 0 ? 0 : bytes.indexOf(LF) + 1;
      const { facts } = parser.parse({
        bytes: bytes.subarray(first),
        final: start + bytes.length === source.byteLength,
        dtypes: null,
        types: anyTypes(columns.length),
      });
      for (const [column, found] of facts.entries()) columns[column]?.merge(found);
    }
    return columns;
  }
}

function again(bytes: Uint8Array, dtypes: readonly (DType | null)[]): BlockTask {
  return { bytes, final: true, dtypes, types: dtypes.map(() => 0) };
}

/** @param blockBytes bytes of a block, for tests. @throws as `readCsv`. */
export async function openCsv(
  input: Openable | AsyncIterable<Uint8Array>,
  options: CsvOptions = {},
  blockBytes = BLOCK_BYTES,
): Promise<CsvFile> {
  checkOptions('openCsv', CSV_OPTIONS, options);
  const plan = parseCsvOptions(options);
  const plain = await plainSource(input, options.signal);
  try {
    const head = await readHead(plain.source, plain.name, plan, new Tokenizer(plan.dialect));
    return new CsvFile(plain, plan, head, blockBytes);
  } catch (error) {
    await plain.close();
    throw error;
  }
}
