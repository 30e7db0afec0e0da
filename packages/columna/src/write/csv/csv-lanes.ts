// Who parses blocks of CSV and encodes the row groups they make: this thread, or worker threads, each of which does
// both.
import { setDefaultBackend } from '@colkit/io';
import type { Backend } from '@colkit/io';
import { availableParallelism } from 'node:os';
import { maxWorkers } from '@colkit/io';
import type { ThreadPool, ThreadScript } from '@colkit/io/threads';
import { BlockParser } from '@colkit/table/csv';
import type { BlockPlan, BlockTask, ParsedBlock } from '@colkit/table/csv';
import { memoryOf } from './csv-rows.ts';
import { EncodingLane, encodeGroup } from './encoding-lane.ts';
import type { CsvLanes, EncodedGroup, GroupTask } from './encoding-lane.ts';
import { writingBackend } from '../threads/encode-wire.ts';
import { onWorkers, startWorkers } from '../threads/worker-threads.ts';

/** What a worker thread is asked. Imports have numbers, since a thread may be at work for one after the other. */
export type CsvQuestion =
  | {
      readonly kind: 'parse';
      readonly file: number;
      readonly plan: BlockPlan;
      readonly task: BlockTask;
      readonly backend: Backend;
    }
  | { readonly kind: 'encode'; readonly task: GroupTask; readonly backend: Backend };

/** What a worker thread answers. */
export class CsvAnswers {
  #parser: BlockParser | null = null;
  #file = -1;

  answer(question: CsvQuestion): ParsedBlock | EncodedGroup {
    setDefaultBackend(question.backend);
    if (question.kind === 'encode') return encodeGroup(question.task);
    if (this.#parser === null || question.file !== this.#file) this.#parser = new BlockParser(question.plan);
    this.#file = question.file;
    return this.#parser.parse(question.task);
  }
}

let files = 0;

export class ThreadLanes implements CsvLanes {
  /** Some blocks are ready for whichever thread is done first. */
  readonly ahead: number;
  readonly groupsAhead: number;
  readonly sharesMemory = true;
  readonly #workers: ThreadPool<CsvQuestion, ParsedBlock | EncodedGroup>;
  readonly #file = files++;
  readonly #plan: BlockPlan;
  /** Memory of blocks whose rows are encoded: V8 does not count what is shared, and would let much of it pile up. */
  readonly #spare: SharedArrayBuffer[] = [];

  /** @param script the built `csv-worker.js`. */
  constructor(script: ThreadScript, threads: number, plan: BlockPlan) {
    this.#plan = plan;
    this.ahead = 4 * threads;
    this.groupsAhead = threads;
    this.#workers = startWorkers(script, { threads, doing: 'import CSV' });
  }

  parse(task: BlockTask): Promise<ParsedBlock> {
    return this.#workers.ask({
      kind: 'parse',
      file: this.#file,
      plan: this.#plan,
      task: { ...task, spare: this.#spare.pop() ?? null },
      backend: writingBackend(),
    }) as Promise<ParsedBlock>;
  }

  async encode(task: GroupTask): Promise<EncodedGroup> {
    const { own, shared } = memoryOf(task.blocks);
    const encoded = await this.#workers.ask({ kind: 'encode', task, backend: writingBackend() }, { transfer: own });
    for (const memory of shared) this.#spare.push(memory);
    return encoded as EncodedGroup;
  }

  close(): Promise<void> {
    return this.#workers.close();
  }
}

/** Every thread compiles its own code, which takes as long as so many bytes of CSV. */
const BYTES_A_THREAD = 1 << 24;

/** Threads where they pay, and where there are any. */
export function csvLanes(plan: BlockPlan, byteLength: number): CsvLanes {
  const threads = Math.min(maxWorkers(), availableParallelism(), Math.floor(byteLength / BYTES_A_THREAD));
  const lanes = threads < 2 ? null : onWorkers('csv-worker.js', (script) => new ThreadLanes(script, threads, plan));
  return lanes ?? new EncodingLane(plan);
}
