// Memory that the addon is given for picked rows: lists of them, one a span for all columns, and room where items wait
// that do not go one behind the other.
import { giveWorkingMemory, takeWorkingMemory } from '@colkit/io';
import type { PageDestination } from '@colkit/io';
import { MAX_PAGE_ROWS } from '../../layout/constants.ts';
import type { Span } from './spans.ts';

/** Rows of a page, listed in memory that jobs know. */
type ListedRows = PageDestination & { readonly count: number };

/** Where items wait. */
export type Room = PageDestination & { readonly byteLength: number };

/** Who is given memory, and gives it a number. */
interface Outputs {
  addOutput(bytes: Uint8Array): number;
}

interface Waiting {
  readonly buffer: ArrayBuffer;
  readonly output: number;
  /** Bytes that are given away. */
  used: number;
}

export class PickedRows {
  readonly #jobs: Outputs;
  readonly #lists = new Map<Span, ListedRows>();
  readonly #count: number;
  readonly #buffers: ArrayBuffer[] = [];
  readonly #waiting: Waiting[] = [];

  constructor(jobs: Outputs, spans: readonly Span[]) {
    this.#jobs = jobs;
    const listed = spans.filter(({ picks }) => picks !== null && picks.length <= MAX_PAGE_ROWS);
    this.#count = listed.reduce((sum, { picks }) => sum + (picks?.length ?? 0), 0);
    if (this.#count === 0) return;
    const buffer = this.#take(4 * this.#count);
    const output = jobs.addOutput(new Uint8Array(buffer));
    let byteOffset = 0;
    for (const span of listed) {
      if (span.picks === null) continue;
      const count = span.picks.length;
      new Uint32Array(buffer, byteOffset, count).set(span.picks);
      this.#lists.set(span, { output, byteOffset, count });
      byteOffset += 4 * count;
    }
  }

  /** The picks of a span; null where it has none, or with repeats more than a page has rows: no job takes as many. */
  listOf(span: Span): ListedRows | null {
    return this.#lists.get(span) ?? null;
  }

  /** Room for the items of a span's picks. */
  roomFor({ picks }: Span, itemBytes: number): Room {
    const byteLength = (picks?.length ?? 0) * itemBytes;
    let waiting = this.#waiting.at(-1);
    if (
      waiting === undefined ||
      waiting.used % itemBytes !== 0 ||
      waiting.used + byteLength > waiting.buffer.byteLength
    ) {
      const buffer = this.#take(this.#count * itemBytes);
      waiting = { buffer, output: this.#jobs.addOutput(new Uint8Array(buffer)), used: 0 };
      this.#waiting.push(waiting);
    }
    const byteOffset = waiting.used;
    waiting.used += byteLength;
    return { output: waiting.output, byteOffset, byteLength };
  }

  /** The bytes of a room. */
  at({ output, byteOffset, byteLength }: Room): Uint8Array {
    const waiting = this.#waiting.find((each) => each.output === output);
    if (waiting === undefined) throw new Error(`no items wait in output ${output}`);
    return new Uint8Array(waiting.buffer, byteOffset, byteLength);
  }

  /** Nobody uses it any more. */
  release(): void {
    for (const buffer of this.#buffers) giveWorkingMemory(buffer);
  }

  #take(byteLength: number): ArrayBuffer {
    const buffer = takeWorkingMemory(byteLength);
    this.#buffers.push(buffer);
    return buffer;
  }
}
