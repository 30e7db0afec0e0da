// The line-JSON messages between the harness and a candidate's process: one request on its stdin, one reply on its
// stdout, strictly in turn. peers/python/_protocol.py answers the same requests; a change here is a change there.
import type { SuiteContext } from '../checkouts/peer.ts';

/**
 * What is counted: the time that passes (the default), or the processor's time of all threads of the process, which
 * other processes of the machine hardly change.
 */
export type Clock = 'wall' | 'cpu';

export type Request =
  /** What this peer is and which suites it takes part in -> Description. */
  | { readonly op: 'describe' }
  /** Writes its files -> null. */
  | { readonly op: 'build'; readonly suite: string; readonly context: SuiteContext }
  /** Reads inputs -> Prepared. */
  | { readonly op: 'prepare'; readonly suite: string; readonly variant: string; readonly context: SuiteContext }
  /** Opens or reads the data -> nanoseconds that it took. */
  | { readonly op: 'load' }
  /** Runs iterations 0 to `iterations` - 1 -> OutputDigest[] of all their results in order. */
  | { readonly op: 'check'; readonly task: string; readonly iterations: number }
  /**
   * At most `samples` timed samples of `repeat` runs each; none begins after `budgetMs`, but one always does ->
   * nanoseconds per run, one number a sample.
   */
  | {
      readonly op: 'run';
      readonly task: string;
      readonly samples: number;
      readonly repeat: number;
      readonly budgetMs: number;
      readonly clock?: Clock;
    }
  /** Event-loop delay while an async task is awaited `samples` times, fewer when `budgetMs` is over -> Delay. */
  | { readonly op: 'delay'; readonly task: string; readonly samples: number; readonly budgetMs: number }
  /** -> ChildMemory. */
  | { readonly op: 'memory' }
  /** Closes and exits -> null. */
  | { readonly op: 'close' };

export type Reply = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string };

export interface Description {
  readonly name: string;
  readonly onRequest: boolean;
  /** Why it cannot run here, or null. */
  readonly missing: string | null;
  readonly versions: Readonly<Record<string, string>>;
  /** Variants by suite. */
  readonly suites: Readonly<Record<string, readonly string[]>>;
}

export interface Prepared {
  readonly files: readonly string[];
  readonly tasks: readonly { readonly name: string; readonly kind: 'sync' | 'async' }[];
}

/** One named array of a result: its size and the CRC-32 of its bytes. */
export interface OutputDigest {
  readonly name: string;
  readonly byteLength: number;
  readonly crc32: number;
}

export interface Delay {
  readonly meanMs: number;
  readonly maxMs: number;
}

export interface ChildMemory {
  readonly peakRssBytes: number;
}
