// Reads of many files by one gather: all of them mapped together, once rows of many are asked for. Where they cannot be
// (no addon, no local files, too many), each is read by itself.
import { CorruptFileError, IoError, gatherFiles } from '@colkit/io';
import type { FilesGatherer, FilesSegments, RandomAccessSource } from '@colkit/io';
import { TURN, begin, operationOf, run, runSync, wait } from '@colkit/io/effects';
import type { Begun, Operation, Work, WorkContext } from '@colkit/io/effects';
import { writtenChunk } from '@colkit/table';
import type { Chunk, JoinedReads, ReadRequest, UnitedFields } from '@colkit/table';
import { segmentsOf } from '../columns/segments.ts';
import type { StoredTableOptions } from '../columns/stored-table.ts';
import type { FileLayout } from '../layout/read-layout.ts';

/** Mappings of one table: the system allows a process some 65,000, and while they are made each has a descriptor. */
const MOST_JOINED = 2048;
/** Files that are opened at the same time. */
const OPENED_AHEAD = 8;
/** Rows of a few files, and a few rows, are read file by file. */
const FEW_ROWS = 64;
const FEW_FILES = 8;

interface JoinedParts {
  readonly name: string;
  readonly layouts: readonly FileLayout[];
  /** Opens a file, and looks whether it is the one that the layout is of. */
  readonly open: (number: number) => Work<RandomAccessSource>;
  readonly options: StoredTableOptions;
}

type Reading = Operation<readonly Chunk[]>;

export class JoinedFiles implements JoinedReads {
  readonly #parts: JoinedParts;
  readonly #columns: UnitedFields['columns'];
  readonly #foreign: ReadonlySet<number>;
  readonly #columnCount: number;
  /** The numbers of the files that have rows, and where these begin. */
  readonly #starts: Float64Array;
  readonly #filled: readonly number[];
  #gatherer: FilesGatherer | null = null;
  #opening: Promise<FilesGatherer | null> | null = null;
  #isPossible: boolean;
  #closed = false;

  constructor(parts: JoinedParts, { columns, fields }: UnitedFields) {
    this.#parts = parts;
    this.#columns = columns;
    this.#filled = parts.layouts.flatMap(({ rowCount }, number) => (rowCount > 0 ? [number] : []));
    this.#columnCount = fields.length;
    this.#starts = new Float64Array(this.#filled.length);
    let start = 0;
    for (const [index, number] of this.#filled.entries()) {
      this.#starts[index] = start;
      start += parts.layouts[number]?.rowCount ?? 0;
    }
    this.#isPossible = parts.options.backend !== 'js' && this.#filled.length > 1 && this.#filled.length <= MOST_JOINED;
    const foreign = new Set<number>();
    for (const number of this.#filled) {
      for (let column = 0; column < fields.length; column += 1)
        if (parts.layouts[number]?.columns[this.#columnOf(number, column)]?.bigEndian === true) foreign.add(column);
    }
    this.#foreign = foreign;
  }

  read(request: ReadRequest, apart: () => Reading): Reading | null {
    if (!this.#isPossible || request.columns.some((column) => this.#foreign.has(column))) return null;
    if (this.#gatherer === null && this.#isSmall(request)) return null;
    return {
      run: (context) => this.#read(request, context, apart),
      runSync: (context) => this.#readSync(request, context, apart),
    };
  }

  close(): void {
    this.#closed = true;
    this.#isPossible = false;
    this.#gatherer?.close();
    this.#gatherer = null;
  }

  /** Whether so few files have the rows that opening all of them costs more. */
  #isSmall({ rows }: ReadRequest): boolean {
    switch (rows.kind) {
      case 'range': {
        const last = rows.start + rows.step * Math.max(0, rows.count - 1);
        return rows.count <= FEW_ROWS || Math.abs(this.#fileOf(last) - this.#fileOf(rows.start)) < FEW_FILES;
      }
      case 'indices':
        return rows.indices.length <= Math.min(FEW_ROWS, this.#filled.length);
      case 'mask':
        return rows.count <= FEW_ROWS;
    }
  }

  /** Among those that have rows. */
  #fileOf(row: number): number {
    const starts = this.#starts;
    let low = 0;
    for (let high = starts.length - 1; low < high; ) {
      const middle = (low + high + 1) >>> 1;
      if ((starts[middle] as number) <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  async #read(request: ReadRequest, context: WorkContext, apart: () => Reading): Promise<readonly Chunk[]> {
    try {
      if (this.#gatherer === null) {
        this.#opening ??= run(this.#open());
        try {
          this.#keep(await this.#opening);
        } finally {
          this.#opening = null;
        }
      }
      if (this.#gatherer !== null) {
        await this.#gatherer.gather(this.#requestOf(request, context));
        return chunksOf(request);
      }
    } catch (error) {
      this.#part(error);
    }
    return apart().run(context);
  }

  #readSync(request: ReadRequest, context: WorkContext, apart: () => Reading): readonly Chunk[] {
    try {
      if (this.#gatherer === null) this.#keep(runSync(this.#open()));
      if (this.#gatherer !== null) {
        this.#gatherer.gatherSync(this.#requestOf(request, context));
        return chunksOf(request);
      }
    } catch (error) {
      this.#part(error);
    }
    return apart().runSync(context);
  }

  /** Where a file fails, each is read by itself: the one is named, and rows of the others are there. */
  #part(error: unknown): void {
    if (!(error instanceof IoError) && !(error instanceof CorruptFileError)) throw error;
    this.#isPossible = false;
  }

  #keep(gatherer: FilesGatherer | null): void {
    if (gatherer === null) this.#isPossible = false;
    else if (this.#closed || (this.#gatherer !== null && this.#gatherer !== gatherer)) gatherer.close();
    else this.#gatherer = gatherer;
  }

  #requestOf(
    { columns, rows, outputs }: ReadRequest,
    { signal, workers }: WorkContext,
  ): Parameters<FilesGatherer['gatherSync']>[0] {
    const plain = {
      columns: Int32Array.from(columns),
      rows,
      outputs: outputs.filter((output) => output !== null),
      workers: workers === 0 ? (this.#parts.options.maxWorkers ?? 0) : workers,
    };
    return signal === undefined ? plain : { ...plain, signal };
  }

  *#open(): Work<FilesGatherer | null> {
    const { name, open, options } = this.#parts;
    const sources: RandomAccessSource[] = [];
    const ahead: Begun<RandomAccessSource>[] = [];
    let gatherer: FilesGatherer | null = null;
    try {
      for (let next = 0; sources.length < this.#filled.length; ) {
        for (; next < this.#filled.length && ahead.length < OPENED_AHEAD; next += 1) {
          const number = this.#filled[next] as number;
          ahead.push(yield* begin(operationOf(() => open(number))));
        }
        const source = yield* wait(ahead.shift() as Begun<RandomAccessSource>);
        sources.push(source);
        // Mapped at once: a mapping takes the descriptor of the source over.
        if (source.mapping === undefined || source.mapping() === null) return null;
        yield TURN;
      }
      gatherer = gatherFiles(name, sources, this.#segments(), options.backend);
      return gatherer;
    } finally {
      for (const begun of ahead) yield* closeBegun(begun);
      if (gatherer === null) for (const source of sources) source.close();
    }
  }

  /** The segments of all files, one behind the other. */
  #segments(): FilesSegments {
    const { layouts } = this.#parts;
    const own = this.#filled.map((number) => segmentsOf(layouts[number] as FileLayout));
    const columnCount = this.#columnCount;
    const segmentCount = own.reduce((sum, { rowStarts }) => sum + rowStarts.length - 1, 0);
    const rowStarts = new Float64Array(segmentCount + 1);
    const files = new Int32Array(segmentCount);
    const itemBytes = new Int32Array(columnCount);
    const bases = new Float64Array(columnCount * segmentCount);
    let [segment, row] = [0, 0];
    for (const [file, number] of this.#filled.entries()) {
      const { rowStarts: starts, itemBytes: widths, bases: ownBases } = own[file] as (typeof own)[number];
      const count = starts.length - 1;
      for (let index = 0; index < count; index += 1) {
        files[segment + index] = file;
        rowStarts[segment + index] = row + (starts[index] as number);
      }
      for (let column = 0; column < columnCount; column += 1) {
        const stored = this.#columnOf(number, column);
        const width = widths[stored] as number;
        itemBytes[column] = width;
        for (let k = 0; k < count; k += 1)
          bases[column * segmentCount + segment + k] = (ownBases[stored * count + k] as number) - row * width;
      }
      segment += count;
      row += starts[count] as number;
    }
    rowStarts[segmentCount] = row;
    return { rowStarts, itemBytes, bases, files };
  }

  /** The file's own number of a column. */
  #columnOf(number: number, column: number): number {
    return (this.#columns[number]?.[column] ?? column) as number;
  }
}

/** That it could not be opened is nothing to whoever has failed already. */
function* closeBegun(begun: Begun<RandomAccessSource>): Work<void> {
  let source: RandomAccessSource;
  try {
    source = yield* wait(begun);
  } catch {
    return;
  }
  source.close();
}

/** What was written into the outputs. */
function chunksOf({ rows, outputs }: ReadRequest): readonly Chunk[] {
  const count = rows.kind === 'indices' ? rows.indices.length : rows.count;
  return outputs.flatMap((output) => (output === null ? [] : [writtenChunk(output, count, null)]));
}
