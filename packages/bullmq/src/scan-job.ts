// What is in a job: a task as JSON, and why it failed as a text. Whoever reaches Redis can add jobs: what comes out of
// one is checked before anything is opened.
import { ArgumentError, describeValue, isColkitError } from '@colkit/io';
import type { PartialTask } from 'columna';

/** Of the jobs in the queue. */
export const JOB_NAME = 'colkit-scan';
const JOB_VERSION = 1;
/** Of what is told of a failure: messages name paths and values of files. */
const LONGEST_REASON = 2000;
/** What another try, perhaps by another worker, may overcome. */
const TRIED_AGAIN: ReadonlySet<string> = new Set(['ERR_READ', 'ERR_NOT_FOUND']);

/** Beyond any column's: whoever compares with it means that. Texts of any length would take time to parse. */
const INTEGER = /^-?\d{1,1000}$/u;
/** Bytes, in hex. */
const HEX = /^(?:[\da-f]{2})*$/u;

/** What `@name` in a predicate stands for, in JSON. */
type JsonParam = null | boolean | number | string | Tagged | readonly JsonParam[];
type Tagged =
  | { readonly int: string }
  | { readonly number: string }
  | { readonly date: number }
  | { readonly bytes: string };

export interface ScanJob {
  readonly jobVersion: 1;
  readonly task: Omit<PartialTask, 'params'> & { readonly params?: Readonly<Record<string, JsonParam>> };
  /** The run was given up: there is nothing to be done. */
  readonly cancelled?: boolean;
}

/** @throws ArgumentError for parameters that are no constants and no lists of such. */
export function scanJob({ params, ...task }: PartialTask): ScanJob {
  if (params === undefined) return { jobVersion: JOB_VERSION, task };
  const entries = params instanceof Map ? [...(params as ReadonlyMap<string, unknown>)] : Object.entries(params);
  const json = Object.fromEntries(entries.map(([name, value]) => [name, jsonParam(name, value)]));
  return { jobVersion: JOB_VERSION, task: { ...task, params: json } };
}

function jsonParam(name: string, value: unknown): JsonParam {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return { int: String(value) };
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { number: Object.is(value, -0) ? '-0' : String(value) };
  if (value instanceof Date) return { date: value.getTime() };
  // Bytes are one value; a list of numbers where `in @name` asks for one.
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('hex') };
  if (Array.isArray(value) || value instanceof Set || (ArrayBuffer.isView(value) && Symbol.iterator in value))
    return Array.from(value as Iterable<unknown>, (each) => jsonParam(name, each));
  throw new ArgumentError('ERR_ARGUMENT', `params.${name}`, 'a constant or a list of constants', describeValue(value));
}

/** @throws ArgumentError for what is no job of ours; what is in its task is checked by whoever runs it. */
export function checkedTask(name: string, data: unknown): PartialTask {
  if (name !== JOB_NAME) throw wrong(`a job called ${JOB_NAME}`, name);
  const job = objectOf(data, 'a job');
  if (job['jobVersion'] !== JOB_VERSION) throw wrong(`jobVersion ${String(JOB_VERSION)}`, job['jobVersion']);
  const { split, where, params, aggregates, by, ...others } = objectOf(job['task'], 'a task');
  if (Object.keys(others).length > 0) throw wrong('a task', others);
  if (where !== undefined && typeof where !== 'string') throw wrong('where: a text', where);
  if (by !== undefined && !(Array.isArray(by) && by.every((each) => typeof each === 'string')))
    throw wrong('by: names', by);
  return {
    split: objectOf(split, 'a split') as unknown as PartialTask['split'],
    aggregates: objectOf(aggregates, 'aggregates') as unknown as PartialTask['aggregates'],
    ...(where === undefined ? {} : { where }),
    ...(by === undefined ? {} : { by: by }),
    ...(params === undefined ? {} : { params: parsedParams(params) }),
  };
}

function parsedParams(given: unknown): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(objectOf(given, 'params')).map(([name, value]) => [name, parsedParam(value)]));
}

function parsedParam(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(parsedParam);
  if (typeof given !== 'object' || given === null) return given;
  const { int, number, date, bytes } = given as Record<string, unknown>;
  if (typeof int === 'string' && INTEGER.test(int)) return BigInt(int);
  if (typeof number === 'string') return Number(number);
  if (typeof date === 'number') return new Date(date);
  if (typeof bytes === 'string' && HEX.test(bytes)) return Uint8Array.from(Buffer.from(bytes, 'hex'));
  throw wrong('params: constants', given);
}

function objectOf(given: unknown, what: string): Record<string, unknown> {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Record<string, unknown>;
  throw wrong(what, given);
}

function wrong(expected: string, found: unknown): ArgumentError {
  return new ArgumentError('ERR_ARGUMENT', 'job', expected, describeValue(found));
}

/** Whether another try would fail in the same way. */
export function isFinal(error: unknown): boolean {
  return isColkitError(error) && !TRIED_AGAIN.has(error.code);
}

/** Code and message in one text, which is all that a failed job keeps. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (isColkitError(error) ? `${error.code}: ${message}` : message).slice(0, LONGEST_REASON);
}
