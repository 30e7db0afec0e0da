// The three selections that both candidates answer, what is told of each, and the digest that proves their answers
// equal.
import { crc32 } from 'node:zlib';

export const SLICE = { start: 1_000_000, end: 1_500_000 } as const;
export const RANDOM_ROWS = 300_000;
export const LATE_MINUTES = 60;

type TaskName = 'slice' | 'random' | 'mask';
export type Answer = readonly (BigInt64Array | Int16Array)[];

export interface TaskReport {
  readonly task: TaskName;
  readonly rows: number;
  readonly digest: number;
  readonly milliseconds: number;
}

export interface CandidateReport {
  /** Milliseconds until the first question can be asked. */
  readonly readyMilliseconds: number;
  readonly tasks: readonly TaskReport[];
  /** Anonymous memory of the process (RssAnon) after the tasks, in bytes; null where the system does not tell. */
  readonly anonymousBytes: number | null;
  readonly backend: string;
}

function digestOf(answer: Answer): number {
  return answer.reduce((crc, array) => crc32(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), crc), 0);
}

/** Runs one task several times: the digest of its answer and the median time. */
export async function measure(task: TaskName, run: () => Promise<Answer> | Answer, repeats = 9): Promise<TaskReport> {
  const first = await run();
  const [digest, rows] = [digestOf(first), first[0]?.length ?? 0];
  const times: number[] = [];
  for (let i = 0; i < repeats; i++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return { task, rows, digest, milliseconds: times[repeats >> 1] ?? Number.NaN };
}
