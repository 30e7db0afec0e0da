// Reads of a source where each one is a request: those that are asked for together, and lie near one another, become
// one, and there are never more than so many under way. Whoever needs many ranges asks for all of them at once, and
// need not know of the others that do.
import { nextTurn } from '../backend/timers.ts';
import { unlessAborted } from './http/http-waits.ts';
import type { SourceCapabilities } from './source.ts';

/** What several reads become at most: memory of a request, and a part that others can be loaded beside. */
const MOST_MERGED_BYTES = 4 * 1024 * 1024;

/** Gaps up to this part of `gapBytes` are read in any case: they come with the first bytes of an answer. */
const SMALL_GAPS = 4;

interface Waiting {
  readonly byteOffset: number;
  readonly out: Uint8Array;
  readonly signal: AbortSignal | undefined;
  /** The order in which they came. */
  readonly number: number;
  readonly done: () => void;
  readonly fail: (reason: unknown) => void;
}

interface Group {
  readonly reads: readonly Waiting[];
  readonly start: number;
  readonly end: number;
  readonly oldest: number;
}

type Read = (byteOffset: number, out: Uint8Array, signal?: AbortSignal) => Promise<void> | void;

export class ReadQueue {
  readonly #limits: Pick<SourceCapabilities, 'concurrency' | 'gapBytes'>;
  readonly #read: Read;
  /** Since they were last put into groups. */
  #arrived: Waiting[] = [];
  #groups: Group[] = [];
  #numbers = 0;
  #running = 0;
  #isScheduled = false;

  /** @param read reads one range; it is called for as many at a time as `concurrency` says. */
  constructor(limits: Pick<SourceCapabilities, 'concurrency' | 'gapBytes'>, read: Read) {
    this.#limits = limits;
    this.#read = read;
  }

  /** @throws what the read of a range throws that this one is a part of; the signal's reason, at once. */
  read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void> {
    const read = new Promise<void>((done, fail) => {
      this.#arrived.push({ byteOffset, out, signal, number: this.#numbers++, done, fail });
      this.#schedule();
    });
    return signal === undefined ? read : unlessAborted(read, [signal]);
  }

  /** Reads that wait fail with this reason. */
  close(reason: unknown): void {
    for (const { fail } of this.#waiting()) fail(reason);
    this.#arrived = [];
    this.#groups = [];
  }

  #waiting(): Waiting[] {
    return [...this.#groups.flatMap(({ reads }) => reads), ...this.#arrived];
  }

  /** Later in this turn of the event loop: others ask until then. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    void nextTurn().then(() => {
      this.#isScheduled = false;
      if (this.#arrived.length > 0) {
        this.#groups = groupsOf(this.#waiting(), this.#limits.gapBytes);
        this.#arrived = [];
      }
      while (this.#running < this.#limits.concurrency) {
        const group = this.#groups.shift();
        if (group === undefined) break;
        // Nobody waits for it; what was under way is ended by the read, which has the signal too.
        if (group.reads[0]?.signal?.aborted === true) continue;
        this.#running += 1;
        void this.#perform(group);
      }
    });
  }

  async #perform({ reads, start, end }: Group): Promise<void> {
    const [first] = reads;
    try {
      if (first === undefined) return;
      if (reads.length === 1) await this.#read(start, first.out, first.signal);
      else {
        const bytes = new Uint8Array(end - start);
        await this.#read(start, bytes, first.signal);
        for (const { byteOffset, out } of reads)
          out.set(bytes.subarray(byteOffset - start, byteOffset - start + out.byteLength));
      }
      for (const { done } of reads) done();
    } catch (error) {
      for (const { fail } of reads) fail(error);
    } finally {
      this.#running -= 1;
      this.#schedule();
    }
  }
}

/** Reads of one signal that are near: an abort ends all of a request or nothing of it. The oldest come first. */
function groupsOf(waiting: readonly Waiting[], gapBytes: number): Group[] {
  const bySignal = new Map<AbortSignal | undefined, Waiting[]>();
  for (const each of waiting) {
    const others = bySignal.get(each.signal);
    if (others === undefined) bySignal.set(each.signal, [each]);
    else others.push(each);
  }
  const groups: Group[] = [];
  for (const reads of bySignal.values()) {
    reads.sort((a, b) => a.byteOffset - b.byteOffset);
    let group: { reads: Waiting[]; start: number; end: number; oldest: number; wanted: number } | null = null;
    for (const read of reads) {
      const { byteOffset, number } = read;
      const end = byteOffset + read.out.byteLength;
      if (
        group !== null &&
        isWorthReading(byteOffset - group.end, gapBytes, group.wanted + read.out.byteLength) &&
        Math.max(group.end, end) - group.start <= MOST_MERGED_BYTES
      ) {
        group.reads.push(read);
        group.end = Math.max(group.end, end);
        group.oldest = Math.min(group.oldest, number);
        group.wanted += read.out.byteLength;
      } else {
        group = { reads: [read], start: byteOffset, end, oldest: number, wanted: read.out.byteLength };
        groups.push(group);
      }
    }
  }
  return groups.sort((a, b) => a.oldest - b.oldest);
}

/**
 * A larger gap, up to `gapBytes`, only where as many bytes are wanted: who asks for the headers of pages alone would
 * load the pages too.
 */
function isWorthReading(gap: number, gapBytes: number, wanted: number): boolean {
  return gap <= gapBytes / SMALL_GAPS || gap <= Math.min(gapBytes, wanted);
}
