// The same names as reading.ts, loaded when a file is opened, or when something is first read.
import { LazyPart } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import type * as Readers from './readers.ts';

type Given<Name extends keyof typeof Readers> = Parameters<(typeof Readers)[Name]>;
type Result<Name extends keyof typeof Readers> = ReturnType<(typeof Readers)[Name]>;
/** What a work gives. */
type Outcome<Name extends keyof typeof Readers> = Result<Name> extends Work<infer T> ? T : never;

export const part = new LazyPart<typeof Readers>(() => import('./readers.ts'));

export const TABLE_READING: readonly Operation<unknown>[] = [part.operation];

export function* columnsOfView(...given: Given<'columnsOfView'>): Work<Outcome<'columnsOfView'>> {
  return yield* (yield* part.use()).columnsOfView(...given);
}

export function* readColumns(...given: Given<'readColumns'>): Work<Outcome<'readColumns'>> {
  return yield* (yield* part.use()).readColumns(...given);
}

export function readColumnsSync(...given: Given<'readColumnsSync'>): Result<'readColumnsSync'> {
  return part.loaded.readColumnsSync(...given);
}

export function* readCell(...given: Given<'readCell'>): Work<Outcome<'readCell'>> {
  return yield* (yield* part.use()).readCell(...given);
}

export function* readAllRows(...given: Given<'readAllRows'>): Work<Outcome<'readAllRows'>> {
  return yield* (yield* part.use()).readAllRows(...given);
}

export async function* readNamedBatches(...given: Given<'readNamedBatches'>): Result<'readNamedBatches'> {
  yield* (await part.load()).readNamedBatches(...given);
}

export function* readNamedBatchesSync(...given: Given<'readNamedBatchesSync'>): Result<'readNamedBatchesSync'> {
  yield* part.loaded.readNamedBatchesSync(...given);
}

export async function* streamRows(...given: Given<'streamRows'>): Result<'streamRows'> {
  yield* (await part.load()).streamRows(...given);
}

export function* streamRowsSync(...given: Given<'streamRowsSync'>): Result<'streamRowsSync'> {
  yield* part.loaded.streamRowsSync(...given);
}

export async function* streamCells(...given: Given<'streamCells'>): Result<'streamCells'> {
  yield* (await part.load()).streamCells(...given);
}

export function* streamCellsSync(...given: Given<'streamCellsSync'>): Result<'streamCellsSync'> {
  yield* part.loaded.streamCellsSync(...given);
}
