// Gathers from any source by reading byte ranges, in TypeScript. Memory is the output and a few MiB: contiguous rows
// are read straight into it, all others batch by batch in ascending order through buffers of 256 KiB, where near
// neighbours share a read; so a dense selection streams through the file, a sparse one reads only what it needs.
import { Words, copyItemsUnchecked, newOffsets, wordBytes } from './copy-items.ts';
import type { Offsets } from './copy-items.ts';
import { ClosedError } from '../errors/errors.ts';
import type { ColumnSegments, GatherOutput, GatherRequest, Gatherer } from './gather.ts';
import { checkRequest, checkSegments } from './gather-request.ts';
import { readPlan } from './read-plan.ts';
import type { PlanLimits, ReadStep } from './read-plan.ts';
import { runReads } from './parallel-reads.ts';
import { fillLinear, fillOffsets, lowBits, lowBitsOf, segmentsOfRows } from './segments.ts';
import type { RandomAccessSource } from '../source/source.ts';

const DIRECT_BYTES = 16 * 1024 * 1024;
/** A buffer is so many times what a read costs: 256 KiB of a file, 1 MiB of a URL. */
const GAPS_IN_BUFFER = 16;
const LEAST_BUFFER_BYTES = 256 * 1024;
const MOST_BUFFER_BYTES = 4 * 1024 * 1024;

export class PositionalGatherer implements Gatherer {
  readonly rowCount: number;
  readonly #source: RandomAccessSource;
  readonly #segments: ColumnSegments;
  readonly #limits: PlanLimits;
  /** By column, of all of its segments. */
  readonly #lowBitsOf = new Map<number, number>();

  /** @throws ArgumentError where the segments do not lie within the source. */
  constructor(source: RandomAccessSource, segments: ColumnSegments) {
    this.rowCount = checkSegments(segments, source.byteLength);
    this.#source = source;
    this.#segments = segments;
    const { gapBytes } = source;
    const bufferBytes = Math.min(MOST_BUFFER_BYTES, Math.max(LEAST_BUFFER_BYTES, GAPS_IN_BUFFER * gapBytes));
    this.#limits = { bufferBytes, directBytes: DIRECT_BYTES, gapBytes };
  }

  gatherSync(request: GatherRequest): void {
    const buffer = new StepBuffer(largestOutput(request));
    for (const step of this.#plan(request)) {
      if (step.kind === 'direct') this.#source.readSync(step.byteOffset, step.out);
      if (step.kind !== 'scatter') continue;
      this.#source.readSync(step.byteOffset, buffer.prepare(step));
      this.#scatter(request, step, buffer);
    }
  }

  async gather(request: GatherRequest): Promise<void> {
    request.signal?.throwIfAborted();
    const idle: StepBuffer[] = [];
    const source = this.#source;
    await runReads(this.#plan(request), source, request.signal, async (step) => {
      if (step.kind === 'direct') await source.read(step.byteOffset, step.out, request.signal);
      if (step.kind !== 'scatter') return;
      const buffer = idle.pop() ?? new StepBuffer(largestOutput(request));
      await source.read(step.byteOffset, buffer.prepare(step), request.signal);
      this.#scatter(request, step, buffer);
      idle.push(buffer);
    });
  }

  #plan(request: GatherRequest): Iterable<ReadStep> {
    if (this.#source.closed) throw new ClosedError('gather', this.#source.path);
    const checked = checkRequest(this.#segments, this.rowCount, request);
    return checked.count === 0 ? [] : readPlan(this.#segments, this.rowCount, request, checked, this.#limits);
  }

  #scatter(request: GatherRequest, step: ReadStep & { kind: 'scatter' }, buffer: StepBuffer): void {
    const output = request.outputs[step.output] as GatherOutput;
    const column = request.columns[step.output] as number;
    const itemBytes = this.#segments.itemBytes[column] as number;
    const { batch, from, to, base } = step;
    const target = new Words(output.bytes);
    const count = to - from;
    const first = output.byteOffset + target.shift;
    const lowBitsOfRows = base === null ? this.#lowBits(column) : lowBitsOf(base);
    const word = wordBytes(first | output.byteStride | itemBytes | lowBitsOfRows);
    const offsets = buffer.offsets(count);
    const rows = batch.rows.subarray(from, to);
    const origin = buffer.start - step.byteOffset;
    if (base === null) {
      const ofRows = buffer.segments(count);
      segmentsOfRows(this.#segments, rows, count, ofRows);
      fillOffsets(this.#segments, column, rows, ofRows, count, word, origin, offsets.from);
    } else fillLinear(rows, count, (base + origin) / word, itemBytes / word, offsets.from);
    fillLinear(batch.positions.subarray(from, to), count, first / word, output.byteStride / word, offsets.to);
    copyItemsUnchecked(word, target, offsets.to, buffer.words, offsets.from, count, itemBytes);
  }

  #lowBits(column: number): number {
    let bits = this.#lowBitsOf.get(column);
    if (bits === undefined) {
      bits = lowBits(this.#segments, column);
      this.#lowBitsOf.set(column, bits);
    }
    return bits;
  }
}

const SMALLEST_BUFFER = 4096;

/**
 * The buffer of one read at a time. Bytes stand in it as they stand in the source, modulo 4, so that whole words there
 * are whole words here.
 */
class StepBuffer {
  /** Where the read's bytes start. */
  start = 0;
  words = new Words(new Uint8Array(0));
  #from: Offsets = new Int32Array(0);
  #segments = new Int32Array(0);
  #to: Offsets;
  readonly #targetBytes: number;

  /** @param targetBytes the size of the largest output. */
  constructor(targetBytes: number) {
    this.#targetBytes = targetBytes;
    this.#to = newOffsets(0, targetBytes);
  }

  prepare(step: ReadStep & { kind: 'scatter' }): Uint8Array {
    this.start = lowBitsOf(step.byteOffset);
    const end = this.start + step.byteLength;
    if (this.words.u8.byteLength < end) this.words = new Words(new Uint8Array(nextPowerOfTwo(end)));
    return this.words.u8.subarray(this.start, end);
  }

  segments(count: number): Int32Array {
    if (this.#segments.length < count) this.#segments = new Int32Array(nextPowerOfTwo(count));
    return this.#segments;
  }

  offsets(count: number): { readonly from: Offsets; readonly to: Offsets } {
    if (this.#from.length < count) this.#from = new Int32Array(nextPowerOfTwo(count));
    if (this.#to.length < count) this.#to = newOffsets(nextPowerOfTwo(count), this.#targetBytes);
    return { from: this.#from, to: this.#to };
  }
}

function largestOutput(request: GatherRequest): number {
  return request.outputs.reduce((largest, output) => Math.max(largest, output.bytes.byteLength), 0);
}

function nextPowerOfTwo(least: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(least, SMALLEST_BUFFER)));
}
