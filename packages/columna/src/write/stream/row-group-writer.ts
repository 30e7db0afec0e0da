// Rows, or row groups that were encoded elsewhere -> the bytes of a file, in order, and what is told of them: the one
// way into a file, whoever writes it, in one go or batch after batch.
import { LimitError, attached } from '@colkit/io';
import { TURN, perform } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import type { Chunk, InputColumns } from '@colkit/table';
import { readChunks } from '../values/batch-input.ts';
import { encoderValues } from '../values/column-plan.ts';
import type { ColumnPlan } from '../values/column-plan.ts';
import { RowBuffer } from '../values/row-buffer.ts';
import type { EncodedChunk } from '../encode/encode-chunk.ts';
import type { RowGroupOptions } from '../encode/encode-row-group.ts';
import type { EncodingThreads } from '../threads/on-this-thread.ts';
import type { FileEncoder } from '../file/file-encoder.ts';
import { joined } from '../file/joined.ts';
import { ReportBuilder } from '../file/write-report.ts';
import type { RowGroupReport, WriteReport } from '../file/write-report.ts';

interface RowGroupSetup {
  readonly plans: readonly ColumnPlan[];
  readonly encoder: FileEncoder;
  readonly rowGroupSize: number;
  /** Who encodes; null where row groups come encoded. */
  readonly threads: EncodingThreads | null;
  /** Where the next byte goes, and what takes it there. */
  readonly file: { readonly position: number };
  readonly write: (bytes: Uint8Array) => Operation<void>;
  readonly onRowGroup?: ((report: RowGroupReport) => void) | undefined;
  /** After every row group. */
  readonly told?: () => void;
  readonly written?: () => Work<void>;
}

/** Rows that are copied at a time where they do not fill a row group: a lazy table is read in these. */
const SLICE_ROWS = 65_536;
/** A row group ends early where its values take this much memory. */
const MOST_BUFFERED_BYTES = 1 << 28;
/** Of rows of a lazy table that take more, so many parts are tried. */
const PARTS = 4;

/** A row group that is being encoded. */
interface Begun {
  readonly result: Operation<EncodedChunk[]>;
  readonly options: RowGroupOptions;
  readonly rowCount: number;
}

export class RowGroupWriter {
  readonly #setup: RowGroupSetup;
  readonly #begun: Begun[] = [];
  readonly #report: ReportBuilder;
  /** Whether all row groups that are full take little memory. */
  readonly #isNarrow: boolean;
  #buffer: RowBuffer | null = null;
  /** Whether something stands before the next row group: the magic, or padding behind a footer. */
  #startsAnew = true;
  #taken = 0;
  #writtenBytes = 0;

  constructor(setup: RowGroupSetup) {
    this.#setup = setup;
    this.#report = new ReportBuilder(setup.encoder.schema);
    const types = setup.plans.map(({ schema }) => schema.type);
    const rowBytes = types.reduce((sum, { itemBytes }) => sum + itemBytes, 0);
    this.#isNarrow =
      types.every(({ itemBytes }) => itemBytes > 0) && rowBytes * setup.rowGroupSize <= MOST_BUFFERED_BYTES;
  }

  /** How many times rows were taken: as long as it does not change, nothing was. */
  get taken(): number {
    return this.#taken;
  }

  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** Rows that would be the next row group; 0 where others are on their way before them. */
  get waiting(): number {
    return this.#begun.length > 0 ? 0 : (this.#buffer?.rowCount ?? 0);
  }

  /** About what these take in memory. */
  get waitingBytes(): number {
    return this.#buffer?.byteLength ?? 0;
  }

  /**
   * Takes rows, and writes the row groups that they fill. Rows that fill one by themselves are not copied.
   * @param last whether these are the only rows there are: then they are all written.
   */
  *add(input: InputColumns, last: boolean): Work<void> {
    const { plans, rowGroupSize } = this.#setup;
    let atOnce = rowGroupSize;
    for (let start = 0; start < input.rowCount; ) {
      const buffered = this.#buffer?.rowCount ?? 0;
      const isWhole = last || (this.#isNarrow && buffered === 0 && input.rowCount - start >= rowGroupSize);
      const most = isWhole ? rowGroupSize : Math.min(SLICE_ROWS, rowGroupSize - buffered);
      const end = Math.min(input.rowCount, start + Math.min(most, atOnce));
      let chunks: Chunk[];
      try {
        chunks = yield* readChunks(input, plans, start, end, MOST_BUFFERED_BYTES);
      } catch (error) {
        if (!(error instanceof LimitError) || end - start === 1) throw error;
        atOnce = Math.ceil((end - start) / PARTS);
        continue;
      }
      this.#taken += 1;
      if (isWhole) yield* this.#encode(chunks, end - start);
      else yield* this.#keep(chunks, end - start);
      start = end;
    }
    if (last) yield* this.flush();
  }

  /** Rows of the file as those that wait are, for `putBefore`; null: they take more. Nothing is changed. */
  *buffered(input: InputColumns, mostBytes: number): Work<RowBuffer | null> {
    const { plans } = this.#setup;
    const buffer = newBuffer(plans);
    for (let start = 0; start < input.rowCount; start += SLICE_ROWS) {
      const end = Math.min(input.rowCount, start + SLICE_ROWS);
      buffer.add(yield* readChunks(input, plans, start, end), end - start);
      if (buffer.byteLength > mostBytes) return null;
    }
    return buffer;
  }

  /** Puts all rows of the last row groups before those that wait; the footers to come have them with these. */
  putBefore(rows: RowBuffer, rowGroupCount: number): void {
    const waiting = this.#buffer?.rowCount ?? 0;
    if (this.#buffer !== null && waiting > 0) rows.add(this.#buffer.take(), waiting);
    this.#setup.encoder.dropLast(rowGroupCount);
    this.#buffer = rows;
  }

  /** Writes what was taken and is not in the file. */
  *flush(): Work<void> {
    if (this.#buffer !== null && this.#buffer.rowCount > 0) {
      const { rowCount } = this.#buffer;
      yield* this.#encode(this.#buffer.take(), rowCount);
    }
    while (this.#begun.length > 0) yield* this.#finish();
  }

  /** A row group that is encoded, behind the others. */
  *put(chunks: readonly EncodedChunk[], options: Pick<RowGroupOptions, 'pageRows'>, rowCount: number): Work<void> {
    const { encoder, onRowGroup, told, written } = this.#setup;
    const rowGroup = encoder.rowGroupCount;
    const start = this.#startsAnew ? [encoder.start()] : [];
    this.#startsAnew = false;
    const { parts, reports } = encoder.add(chunks, rowCount, options);
    this.#report.add(reports);
    const byteLength = parts.reduce((sum, part) => sum + part.length, 0);
    onRowGroup?.({ rowGroup, rowCount, byteLength, chunks: reports });
    yield* this.#write([...start, ...parts]);
    told?.();
    if (written !== undefined) yield* written();
  }

  /** With it, everything so far is a complete file. Gives its bytes. */
  *footer(): Work<number> {
    const { encoder, file } = this.#setup;
    const start = file.position === 0 ? [encoder.start()] : [];
    const footer = encoder.footer();
    this.#startsAnew = true;
    yield* this.#write([...start, footer]);
    return footer.length;
  }

  report(): WriteReport {
    const { encoder, file } = this.#setup;
    return this.#report.report(file.position, encoder.rowCount, encoder.rowGroupCount);
  }

  *#keep(chunks: readonly Chunk[], rowCount: number): Work<void> {
    const { plans, rowGroupSize } = this.#setup;
    const buffer = (this.#buffer ??= newBuffer(plans));
    buffer.add(chunks, rowCount);
    if (buffer.rowCount === rowGroupSize || buffer.byteLength > MOST_BUFFERED_BYTES) yield* this.flush();
  }

  /** Some row groups are encoded while others are read and written. */
  *#encode(chunks: readonly Chunk[], rowCount: number): Work<void> {
    const { encoder, threads } = this.#setup;
    if (threads === null) return;
    yield TURN;
    const columns = chunks.map((chunk, number) => {
      if (chunk.kind === 'fixed') attached(chunk.bytes, 'write', `column ${String(number + 1)}`);
      return encoderValues(encoder.typeOf(number), chunk);
    });
    const options = encoder.optionsFor(columns);
    const by = yield* perform(threads.encoder(rowCount * columns.length));
    this.#begun.push({ result: by.begin(columns, options), options, rowCount });
    while (this.#begun.length > threads.ahead(by)) yield* this.#finish();
  }

  *#finish(): Work<void> {
    const first = this.#begun.shift();
    if (first !== undefined) yield* this.put(yield* perform(first.result), first.options, first.rowCount);
  }

  *#write(parts: readonly Uint8Array[]): Work<void> {
    for (const bytes of joined(parts)) {
      yield* perform(this.#setup.write(bytes));
      this.#writtenBytes += bytes.length;
    }
  }
}

function newBuffer(plans: readonly ColumnPlan[]): RowBuffer {
  return new RowBuffer(plans.map(({ schema }) => schema.type));
}
