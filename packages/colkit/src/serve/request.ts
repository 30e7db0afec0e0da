// The head of a request -> a checked request. It comes from another program: nothing of it is taken on trust.
import { ArgumentError, describeValue } from '@colkit/io';
import type { Split, Table } from '@colkit/table';
import type { Head } from './frame.ts';

/** What is read: a table that was opened, by its number, or a split. */
export type From = { readonly table: number } | { readonly split: Split };

export type Step =
  | { readonly kind: 'select'; readonly columns: readonly string[] }
  | { readonly kind: 'where'; readonly text: string; readonly params: ReadonlyMap<string, unknown> }
  | { readonly kind: 'slice'; readonly start: number | undefined; readonly end: number | undefined };

export interface Query {
  readonly from: From;
  readonly steps: readonly Step[];
}

export type Request =
  | {
      readonly method: 'open';
      readonly source: string | readonly string[];
      readonly version: number | undefined;
      readonly partitions: false | undefined;
      readonly onMismatch: 'strict' | 'drop' | undefined;
      readonly pin: string | undefined;
    }
  | (Query & { readonly method: 'schema' | 'count' | 'explain' })
  | (Query & { readonly method: 'splits'; readonly targetBytes: number | undefined })
  | (Query & { readonly method: 'read'; readonly rows: number | undefined })
  | { readonly method: 'next' | 'cancel'; readonly stream: number }
  | { readonly method: 'pin' | 'close'; readonly table: number };

const METHODS = [
  'open',
  'pin',
  'schema',
  'count',
  'explain',
  'splits',
  'read',
  'next',
  'cancel',
  'close',
] as const satisfies readonly Request['method'][];

/** @throws ArgumentError ERR_ARGUMENT naming what is wrong. */
export function parseRequest(head: Head): Request {
  const { method } = head;
  switch (method) {
    case 'open':
      return {
        method,
        source: parseSource(head['source']),
        version: optionalCount(head, 'version'),
        partitions: optional(head, 'partitions', 'false', (value) => (value === false ? value : undefined)),
        onMismatch: optional(head, 'onMismatch', "'strict' or 'drop'", (value) =>
          value === 'strict' || value === 'drop' ? value : undefined,
        ),
        pin: optional(head, 'pin', 'a text', (value) => (typeof value === 'string' ? value : undefined)),
      };
    case 'schema':
    case 'count':
    case 'explain':
      return { method, ...parseQuery(head) };
    case 'splits':
      return { method, ...parseQuery(head), targetBytes: optionalCount(head, 'targetBytes') };
    case 'read':
      return { method, ...parseQuery(head), rows: optionalCount(head, 'rows') };
    case 'next':
    case 'cancel':
      return { method, stream: count(head, 'stream') };
    case 'pin':
    case 'close':
      return { method, table: count(head, 'table') };
    default:
      throw wrong('method', `one of ${METHODS.join(', ')}`, method);
  }
}

function parseSource(given: unknown): string | readonly string[] {
  if (typeof given === 'string') return given;
  if (Array.isArray(given)) return given.map((each) => text(each, 'source'));
  throw wrong('source', 'a path or URL, or a list of them', given);
}

function parseQuery(head: Head): Query {
  const from = object(head['from'], 'from');
  const steps = head['steps'] === undefined ? [] : list(head['steps'], 'steps').map(parseStep);
  // A split is checked by who reads it.
  if (from['split'] !== undefined) return { from: { split: from['split'] as Split }, steps };
  return { from: { table: count(from, 'table') }, steps };
}

function parseStep(given: unknown): Step {
  const step = object(given, 'step');
  if (step['select'] !== undefined)
    return { kind: 'select', columns: list(step['select'], 'select').map((each) => text(each, 'select')) };
  if (step['where'] !== undefined) {
    const params = step['params'] === undefined ? {} : object(step['params'], 'params');
    const parsed = Object.entries(params).map(([name, value]) => [name, parseValue(value)] as const);
    return { kind: 'where', text: text(step['where'], 'where'), params: new Map(parsed) };
  }
  const slice = object(step['slice'], 'slice');
  return { kind: 'slice', start: optionalWhole(slice, 'start'), end: optionalWhole(slice, 'end') };
}

/** JSON's values; `{ int: '…' }` beyond its numbers, `{ float: 'nan' | 'inf' | '-inf' | '-0' }`; lists of these. */
function parseValue(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(parseValue);
  if (typeof given !== 'object' || given === null) return given;
  const { int, float } = given as { readonly int?: unknown; readonly float?: unknown };
  if (typeof int === 'string' && /^-?\d{1,40}$/u.test(int)) return BigInt(int);
  const known = typeof float === 'string' ? FLOATS.get(float) : undefined;
  if (known === undefined) throw wrong('params', 'a value of JSON, an int or a float as text', given);
  return known;
}

const FLOATS: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['inf', Infinity],
  ['-inf', -Infinity],
  ['-0', -0],
]);

/** @throws UnknownColumnError; QueryError when it is read. */
export function applySteps(table: Table, steps: readonly Step[]): Table {
  let view = table;
  for (const step of steps) {
    if (step.kind === 'select') view = view.select(...step.columns);
    else if (step.kind === 'where') view = view.where(step.text, step.params);
    else view = view.slice(step.start, step.end);
  }
  return view;
}

function wrong(name: string, expected: string, found: unknown): ArgumentError {
  return new ArgumentError('ERR_ARGUMENT', name, expected, describeValue(found));
}

export function object(given: unknown, name: string): Head {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Head;
  throw wrong(name, 'an object', given);
}

function list(given: unknown, name: string): readonly unknown[] {
  if (Array.isArray(given)) return given as readonly unknown[];
  throw wrong(name, 'a list', given);
}

function text(given: unknown, name: string): string {
  if (typeof given === 'string') return given;
  throw wrong(name, 'a text', given);
}

function count(head: Head, name: string): number {
  const value = head[name];
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw wrong(name, 'a count', value);
}

function optionalCount(head: Head, name: string): number | undefined {
  const value = head[name];
  if (value === undefined || value === null) return undefined;
  if (count(head, name) > 0) return value as number;
  throw wrong(name, 'a count from 1 on', value);
}

function optionalWhole(head: Head, name: string): number | undefined {
  const value = head[name] ?? undefined;
  if (value === undefined || Number.isSafeInteger(value)) return value as number | undefined;
  throw wrong(name, 'a whole number', value);
}

function optional<T>(
  head: Head,
  name: string,
  expected: string,
  parse: (value: unknown) => T | undefined,
): T | undefined {
  const value = head[name] ?? undefined;
  if (value === undefined) return undefined;
  const parsed = parse(value);
  if (parsed === undefined) throw wrong(name, expected, value);
  return parsed;
}
