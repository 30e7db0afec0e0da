// From what one library does with one table to its part in every suite about tables.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PeerSuite, SuiteContext, Task, Workload } from '../../src/checkouts/peer.ts';
import { readInputs, readRawColumns } from './files.ts';
import type { RawColumn, TableInputs } from './files.ts';

export type TableSuiteName = 'w2' | 'csv' | 'formats-flights' | 'formats-orders';

/** One variant over one table. */
export interface TableSession {
  readonly variant: string;
  readonly context: SuiteContext;
  readonly inputs: TableInputs;
  /** The raw columns, read when a task first asks for them. */
  rawColumns(): readonly RawColumn[];
  /**
   * Made once and kept until another task begins: not timed where a check or a warm-up comes first, as it does but for
   * cold samples.
   */
  once<T>(name: string, make: () => T): T;
  /** A path for a file that a timed task writes; removes the one before. Without an ending: only removes. */
  temporary(ending?: string): string;
  /** Forgets what was made once. */
  release(): void;
}

export interface TablePeer {
  readonly variants: Readonly<Partial<Record<TableSuiteName, readonly string[]>>>;
  /** Writes a variant's file. */
  build(session: TableSession): void | Promise<void>;
  prepare(session: TableSession): Workload | Promise<Workload>;
}

export function tableSuites(peer: TablePeer): Record<string, PeerSuite> {
  return Object.fromEntries(
    Object.entries(peer.variants).map(([suite, variants]) => [
      suite,
      {
        variants,
        async build(context) {
          const inputs = readInputs(context);
          for (const variant of variants) await peer.build(sessionOf(variant, context, inputs));
        },
        async prepare(variant, context) {
          const session = sessionOf(variant, context, readInputs(context));
          const workload = await peer.prepare(session);
          const close = async (): Promise<void> => {
            await workload.close();
            session.temporary();
          };
          return { ...workload, close, release: () => session.release() };
        },
      } satisfies PeerSuite,
    ]),
  );
}

/** Leaves tasks out that are undefined: a library that cannot do something does not offer it. */
export function offered(tasks: Readonly<Record<string, Task | undefined>>): Record<string, Task> {
  return Object.fromEntries(
    Object.entries(tasks).flatMap(([name, task]) => (task === undefined ? [] : [[name, task]])),
  );
}

function sessionOf(variant: string, context: SuiteContext, inputs: TableInputs): TableSession {
  const made = new Map<string, unknown>();
  let count = 0;
  let written: string | null = null;
  const once = <T>(name: string, make: () => T): T => {
    if (!made.has(name)) made.set(name, make());
    return made.get(name) as T;
  };
  return {
    variant,
    context,
    inputs,
    once,
    rawColumns: () => once('raw columns', () => readRawColumns(context, inputs)),
    temporary(ending) {
      if (written !== null) rmSync(written, { force: true });
      written =
        ending === undefined
          ? null
          : join(context.ownDirectory, `written-${String(process.pid)}-${String(count++)}${ending}`);
      return written ?? '';
    },
    release: () => made.clear(),
  };
}
