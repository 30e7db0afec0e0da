// From a path, URL, bytes, Blob or source to an open table, and the functions that only look at the header. Wires io -> layout -> columns.
import { SOURCE_OPTIONS, checkOptions, isSource, openSource, openSourceSync, option, pickOptions } from '@colkit/io';
import type { OpenSourceOptions, OptionSet, Openable, RandomAccessSource } from '@colkit/io';
import type { Field } from '@colkit/table';
import { StoredTable } from './columns/stored-table.ts';
import { infoOf, schemaOf } from './info.ts';
import type { FileInfo } from './info.ts';
import { readLayout, readStatistics } from './layout/read-layout.ts';
import type { FileLayout } from './layout/read-layout.ts';
import { runSteps, runStepsSync } from './layout/steps.ts';
import type { Steps } from './layout/steps.ts';
import { verifyLayout } from './layout/verify.ts';

export interface OpenOptions extends OpenSourceOptions {
  /** Most threads of one read of this table; default: what `setMaxWorkers` set. */
  readonly maxWorkers?: number;
  /**
   * Also demand what readers may ignore: zeros in padding, nothing behind the data but sound statistics, bool items of 0 and 1, code points in U items. Reads the
   * bool and U columns. Changed numbers are not found: the format has no checksum over values.
   */
  readonly verify?: boolean;
}

export const OPEN_OPTIONS: OptionSet<OpenOptions> = { ...SOURCE_OPTIONS, maxWorkers: option.count('threads', 1), verify: option.flag };

/** Opens a file as a TableSource, which owns the source. @throws as `open`. */
export async function openTable(source: Openable, options: OpenOptions = {}): Promise<StoredTable> {
  checkOptions('open', OPEN_OPTIONS, options);
  const table = tableOptions(options);
  return withSource(source, options, 'keep', async (opened) => {
    const layout = await runSteps(openSteps(opened, options), opened, options.signal);
    return new StoredTable(opened, layout, table);
  });
}

export function openTableSync(source: Openable, options: OpenOptions = {}): StoredTable {
  checkOptions('openSync', OPEN_OPTIONS, options);
  const table = tableOptions(options);
  return withSourceSync(source, options, 'keep', (opened) => new StoredTable(opened, runStepsSync(openSteps(opened, options), opened), table));
}

/** What the file says of itself, statistics included; nothing stays open. @throws as `open`. */
export async function info(source: Openable, options: OpenSourceOptions = {}): Promise<FileInfo> {
  checkOptions('info', SOURCE_OPTIONS, options);
  return withSource(source, options, 'close', async (opened) => runSteps(infoSteps(opened), opened, options.signal));
}

export function infoSync(source: Openable, options: OpenSourceOptions = {}): FileInfo {
  checkOptions('infoSync', SOURCE_OPTIONS, options);
  return withSourceSync(source, options, 'close', (opened) => runStepsSync(infoSteps(opened), opened));
}

/** Names and types of the columns, in order; nothing stays open. @throws as `open`. */
export async function schema(source: Openable, options: OpenSourceOptions = {}): Promise<readonly Field[]> {
  checkOptions('schema', SOURCE_OPTIONS, options);
  return withSource(source, options, 'close', async (opened) => schemaOf(await runSteps(readLayout(opened.path, opened.byteLength), opened, options.signal)));
}

export function schemaSync(source: Openable, options: OpenSourceOptions = {}): readonly Field[] {
  checkOptions('schemaSync', SOURCE_OPTIONS, options);
  return withSourceSync(source, options, 'close', (opened) => schemaOf(runStepsSync(readLayout(opened.path, opened.byteLength), opened)));
}

function* openSteps(source: RandomAccessSource, { verify = false }: OpenOptions): Steps<FileLayout> {
  const layout = yield* readLayout(source.path, source.byteLength);
  if (verify) yield* verifyLayout(layout);
  return layout;
}

function* infoSteps(source: RandomAccessSource): Steps<FileInfo> {
  const layout = yield* readLayout(source.path, source.byteLength);
  return infoOf(layout, yield* readStatistics(layout));
}

function tableOptions({ backend, maxWorkers }: OpenOptions): { backend?: 'auto' | 'native' | 'js'; maxWorkers?: number } {
  return { ...(backend === undefined ? {} : { backend }), ...(maxWorkers === undefined ? {} : { maxWorkers }) };
}

/** A source that was passed in stays the caller's when `use` fails or only looks; one that was opened here is closed then. */
async function withSource<T>(what: Openable, options: OpenSourceOptions, after: 'keep' | 'close', use: (source: RandomAccessSource) => Promise<T>): Promise<T> {
  const source = await openSource(what, pickOptions(SOURCE_OPTIONS, options));
  let done = false;
  try {
    const result = await use(source);
    done = true;
    return result;
  } finally {
    if (!isSource(what) && (!done || after === 'close')) source.close();
  }
}

function withSourceSync<T>(what: Openable, options: OpenSourceOptions, after: 'keep' | 'close', use: (source: RandomAccessSource) => T): T {
  const source = openSourceSync(what, pickOptions(SOURCE_OPTIONS, options));
  let done = false;
  try {
    const result = use(source);
    done = true;
    return result;
  } finally {
    if (!isSource(what) && (!done || after === 'close')) source.close();
  }
}
