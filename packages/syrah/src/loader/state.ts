// Where a loader stands, as plain JSON: which epoch, how many of its batches were handed out, and what must be the same
// for the rest to be the same.
import { ArgumentError, IoError, describeValue } from '@colkit/io';
import type { Tail } from './order/shard.ts';

/** Options that decide which batches there are. */
export interface BatchOptions {
  readonly batchSize: number;
  readonly shuffle: boolean;
  /** Of a block shuffle its two numbers, as JSON; null for none. */
  readonly blocks: string | null;
  readonly seed: number;
  readonly dropLast: boolean;
  readonly rank: number;
  readonly worldSize: number;
  readonly tail: Tail;
  /** 'stack', 'pad', 'list' with their settings, or 'function'. */
  readonly collate: string;
  /** What arrays are cast to, by key, as JSON; null for nothing. */
  readonly cast: string | null;
  /** A mark of the caller's sampler, null for none. */
  readonly sampler: string | null;
  /** The same of the caller's batch sampler. */
  readonly batchSampler: string | null;
  /** Whether there was a process module. */
  readonly processModule: boolean;
}

/** What `loader.state()` returns; JSON.stringify and JSON.parse keep it. */
export interface LoaderState extends BatchOptions {
  readonly kind: 'syrah-loader-state';
  readonly version: 2;
  readonly epoch: number;
  /** Batches of this epoch that were handed out, since `start`. */
  readonly batchesDone: number;
  /** Positions of this epoch that were done before, by ranks of other numbers or batches of another size; else 0. */
  readonly start: number;
  /** Of the dataset: its keys, counts and contents, not its path. */
  readonly fingerprint: string;
}

const STATE_VERSION = 2;

/** Checks the shape of a state that may come from anywhere. @throws ArgumentError. */
export function parseState(state: unknown): LoaderState {
  const fail = (expected: string, found: string): ArgumentError =>
    new ArgumentError('ERR_ARGUMENT', 'state', expected, found);
  const record = (state ?? {}) as Record<string, unknown>;
  if (record['kind'] !== 'syrah-loader-state') throw fail('what loader.state() returned', describeValue(state));
  // Those of version 1 know neither blocks nor other numbers of ranks.
  if (record['version'] !== STATE_VERSION && record['version'] !== 1)
    throw fail(`version ${String(STATE_VERSION)}`, describeValue(record['version']));
  const known: Record<string, unknown> = { kind: 'syrah-loader-state', version: STATE_VERSION };
  // States from before there was such a thing have none.
  if (record['version'] === 1) known['start'] = 0;
  for (const [name, kind] of Object.entries(KINDS)) {
    const value = known[name] ?? record[name] ?? null;
    const [expected, isRight]: [string, boolean] =
      typeof kind === 'number'
        ? [`an integer >= ${String(kind)}`, Number.isSafeInteger(value) && (value as number) >= kind]
        : kind === null || kind === 'function'
          ? ['JSON', value === kind || contentOf(value) !== value]
          : kind === undefined
            ? ['string or null', value === null || typeof value === 'string']
            : [kind, typeof value === kind];
    if (!isRight) throw fail(`${name}: ${expected}`, describeValue(value));
    known[name] = value;
  }
  const { tail } = known;
  if (tail !== 'pad' && tail !== 'drop' && tail !== 'uneven')
    throw fail("tail: 'pad', 'drop' or 'uneven'", String(tail));
  return known as unknown as LoaderState;
}

/** The least of an integer, a type, undefined for a text or null; or what may be there in place of an object's JSON. */
const KINDS: Readonly<
  Record<Exclude<keyof LoaderState, 'kind' | 'version'>, number | 'boolean' | 'string' | 'function' | null | undefined>
> = {
  epoch: 0,
  batchesDone: 0,
  start: 0,
  batchSize: 1,
  shuffle: 'boolean',
  blocks: null,
  seed: 0,
  dropLast: 'boolean',
  rank: 0,
  worldSize: 1,
  tail: 'string',
  collate: 'function',
  cast: null,
  sampler: undefined,
  batchSampler: undefined,
  processModule: 'boolean',
  fingerprint: 'string',
};

/**
 * Rank, number of ranks and batch size may be others: the order of the epoch stays.
 * @throws ArgumentError where an option that decides the order is not the state's.
 */
export function checkSameOptions(state: LoaderState, options: BatchOptions): void {
  for (const name of [
    'shuffle',
    'blocks',
    'seed',
    'dropLast',
    'tail',
    'collate',
    'cast',
    'sampler',
    'batchSampler',
    'processModule',
  ] as const) {
    if (contentOf(state[name]) === contentOf(options[name])) continue;
    throw new ArgumentError(
      'ERR_ARGUMENT',
      name,
      `${JSON.stringify(state[name])}, as in the state`,
      JSON.stringify(options[name]),
    );
  }
}

/** One text for all texts of the same JSON: keys may come in any order. What is no JSON stands for itself. */
function contentOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.stringify(inOrder(JSON.parse(value)));
  } catch {
    return value;
  }
}

/** Objects as their fields in order, so that "__proto__" is a name like others. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, inOrder(field)] as const);
  return { fields: fields.sort(([a], [b]) => Number(a > b) - Number(a < b)) };
}

/** @throws IoError ERR_FILE_CHANGED where the dataset is not the one that the state was taken of. */
export function checkSameDataset(state: LoaderState, fingerprint: string, name: string): void {
  if (state.fingerprint === fingerprint) return;
  throw new IoError(
    'ERR_FILE_CHANGED',
    'resume',
    name,
    `the dataset is not the one of the state: expected ${state.fingerprint} but found ${fingerprint}`,
  );
}
