// Gathers from bytes in memory, in TypeScript: contiguous ranges as block copies, everything else a few thousand rows
// at a time through the copying kernel.
import { Words, copyItemsUnchecked, newOffsets, wordBytes } from './copy-items.ts';
import type { Offsets } from './copy-items.ts';
import { ClosedError } from '../errors/errors.ts';
import type { ColumnSegments, GatherOutput, GatherRequest, Gatherer } from './gather.ts';
import { checkRequest, checkSegments } from './gather-request.ts';
import { rowStream } from './row-stream.ts';
import { fillOffsets, lowBits, segmentOf, segmentsOfRows } from './segments.ts';
import type { MemoryBacked } from '../source/source.ts';

/** Rows at a time: their numbers and offsets stay in the first-level cache. */
const CHUNK_ROWS = 1024;

export class MemoryGatherer implements Gatherer {
  readonly rowCount: number;
  readonly #source: MemoryBacked;
  readonly #segments: ColumnSegments;
  /** Scratch; a gather from memory is never interrupted, so one set serves all. */
  #scratch: Scratch | null = null;

  /** @throws ArgumentError where the segments do not lie within the source. */
  constructor(source: MemoryBacked, segments: ColumnSegments) {
    this.rowCount = checkSegments(segments, source.byteLength);
    this.#source = source;
    this.#segments = segments;
  }

  async gather(request: GatherRequest): Promise<void> {
    request.signal?.throwIfAborted();
    this.gatherSync(request);
    return Promise.resolve();
  }

  gatherSync(request: GatherRequest): void {
    if (this.#source.closed) throw new ClosedError('gather', this.#source.path);
    const bytes = this.#source.bytes;
    const { rows } = request;
    const { count } = checkRequest(this.#segments, this.rowCount, request);
    if (count === 0) return;
    this.#scratch ??= newScratch(bytes);
    if (rows.kind === 'range' && rows.step === 1) this.#copyRange(rows.start, count, request, this.#scratch);
    else this.#copyRows(request, this.#scratch);
  }

  #copyRows(request: GatherRequest, scratch: Scratch): void {
    const { columns, outputs } = request;
    const targets = outputs.map((output) => new Words(output.bytes));
    const to = newOffsets(
      CHUNK_ROWS,
      targets.reduce((largest, target) => Math.max(largest, target.u8.byteLength), 0),
    );
    const stream = rowStream(request.rows, this.rowCount);
    let done = 0;
    for (let count = stream.next(scratch.rows); count > 0; count = stream.next(scratch.rows)) {
      segmentsOfRows(this.#segments, scratch.rows, count, scratch.segments);
      for (let k = 0; k < columns.length; k++)
        this.#copyColumn(
          columns[k] as number,
          outputs[k] as GatherOutput,
          targets[k] as Words,
          done,
          count,
          to,
          scratch,
        );
      done += count;
    }
  }

  #copyColumn(
    column: number,
    output: GatherOutput,
    target: Words,
    done: number,
    count: number,
    to: Offsets,
    scratch: Scratch,
  ): void {
    const { source, rows, segments, from } = scratch;
    const itemBytes = this.#segments.itemBytes[column] as number;
    const first = output.byteOffset + target.shift + done * output.byteStride;
    const word = wordBytes(first | output.byteStride | source.shift | this.#addressBits(column, scratch));
    fillOffsets(this.#segments, column, rows, segments, count, word, source.shift, from);
    for (let i = 0, offset = first / word; i < count; i++, offset += output.byteStride / word) to[i] = offset;
    copyItemsUnchecked(word, target, to, source, from, count, itemBytes);
  }

  #addressBits(column: number, scratch: Scratch): number {
    let bits = scratch.addressBits.get(column);
    if (bits === undefined) {
      bits = lowBits(this.#segments, column);
      scratch.addressBits.set(column, bits);
    }
    return bits;
  }

  #copyRange(start: number, count: number, request: GatherRequest, scratch: Scratch): void {
    for (let k = 0; k < request.columns.length; k++) {
      const column = request.columns[k] as number;
      const output = request.outputs[k] as GatherOutput;
      if (output.byteStride === this.#segments.itemBytes[column]) this.#copyBlocks(column, start, count, output);
      else this.#copyRows({ columns: Int32Array.of(column), rows: request.rows, outputs: [output] }, scratch);
    }
  }

  #copyBlocks(column: number, start: number, count: number, output: GatherOutput): void {
    const { rowStarts, itemBytes, bases } = this.#segments;
    const bytes = this.#source.bytes;
    const width = itemBytes[column] as number;
    const segmentCount = rowStarts.length - 1;
    let s = segmentOf(rowStarts, start);
    for (let row = start; row < start + count; s++) {
      const end = Math.min(start + count, rowStarts[s + 1] as number);
      const base = bases[column * segmentCount + s] as number;
      if (end > row)
        output.bytes.set(
          bytes.subarray(base + row * width, base + end * width),
          output.byteOffset + (row - start) * width,
        );
      row = end;
    }
  }
}

interface Scratch {
  readonly source: Words;
  readonly rows: Float64Array;
  readonly from: Offsets;
  readonly segments: Int32Array;
  readonly addressBits: Map<number, number>;
}

function newScratch(bytes: Uint8Array): Scratch {
  return {
    source: new Words(bytes),
    rows: new Float64Array(CHUNK_ROWS),
    from: newOffsets(CHUNK_ROWS, bytes.byteLength),
    segments: new Int32Array(CHUNK_ROWS),
    addressBits: new Map(),
  };
}
