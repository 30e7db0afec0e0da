// Worker threads that encode row groups, each one at a time. A thread that ends, for whatever reason, is an error of everything that it had; the threads keep no process alive that has nothing
// else to do.
import { Worker } from 'node:worker_threads';
import type { Action } from './actions.ts';
import type { ColumnValues } from './column-values.ts';
import type { EncodedChunk } from './encode-chunk.ts';
import type { RowGroupOptions } from './encode-row-group.ts';
import { ownColumns, unpackError } from './encode-wire.ts';
import type { EncodeAnswer, EncodeTask } from './encode-wire.ts';

interface Waiting {
  readonly lane: Lane;
  readonly resolve: (chunks: EncodedChunk[]) => void;
  readonly reject: (error: Error) => void;
}

interface Lane {
  readonly worker: Worker;
  /** Row groups that it was given and has not answered. */
  load: number;
  /** Why it can take no more. */
  ended: Error | null;
}

export class EncodePool {
  readonly #lanes: readonly Lane[];
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;

  /** @param script the built `encode-worker.js`. */
  constructor(script: URL, threads: number) {
    this.#lanes = Array.from({ length: threads }, () => {
      const worker = new Worker(script, { name: 'columna encoder', ...inheritedOptions() });
      const lane: Lane = { worker, load: 0, ended: null };
      worker.unref();
      worker.on('message', (answer: EncodeAnswer) => this.#settle(answer));
      worker.on('error', (error: unknown) => this.#end(lane, error instanceof Error ? error : new Error(String(error))));
      worker.on('exit', (code) => this.#end(lane, new Error(`a worker thread ended with exit code ${code} before it had encoded its row groups`)));
      return lane;
    });
  }

  /** Each thread has one row group at work, and one is ready for whichever is done first. */
  get ahead(): number {
    return this.#lanes.length;
  }

  begin(columns: readonly ColumnValues[], options: RowGroupOptions): Action<EncodedChunk[]> {
    const result = this.#send(columns, options);
    // It is waited for in its turn; until then its failure is nobody's.
    result.catch(() => undefined);
    const runSync = (): never => {
      throw new Error('worker threads answer asynchronously');
    };
    return { run: () => result, runSync };
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map(({ worker }) => worker.terminate()));
  }

  #send(columns: readonly ColumnValues[], options: RowGroupOptions): Promise<EncodedChunk[]> {
    const lane = this.#lanes.reduce((least, other) => (other.load < least.load || (least.ended !== null && other.ended === null) ? other : least));
    if (lane.ended !== null) return Promise.reject(lane.ended);
    const number = this.#next++;
    lane.load++;
    lane.worker.ref();
    const { columns: own, buffers } = ownColumns(columns);
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { lane, resolve, reject });
      lane.worker.postMessage({ number, columns: own, options } satisfies EncodeTask, buffers);
    });
  }

  #settle(answer: EncodeAnswer): void {
    const waiting = this.#waiting.get(answer.number);
    if (waiting === undefined) return;
    this.#waiting.delete(answer.number);
    waiting.lane.load--;
    if (waiting.lane.load === 0) waiting.lane.worker.unref();
    if ('error' in answer) waiting.reject(unpackError(answer.error));
    else waiting.resolve([...answer.chunks]);
  }

  #end(lane: Lane, error: Error): void {
    lane.ended ??= error;
    for (const [number, waiting] of this.#waiting) {
      if (waiting.lane !== lane) continue;
      this.#waiting.delete(number);
      waiting.reject(lane.ended);
    }
  }
}

/** Workers inherit the process's options, but a script's type given by option (`node --input-type=module -e …`) refuses to start one. */
function inheritedOptions(): { execArgv?: string[] } {
  const kept = process.execArgv.filter((option) => !option.startsWith('--input-type'));
  return kept.length === process.execArgv.length ? {} : { execArgv: [] };
}
