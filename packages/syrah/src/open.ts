// A path, URL, bytes, Blob, source or handle -> an open SyrahFile.
import { ArgumentError, IoError, SOURCE_OPTIONS, checkOptions, isSource, option } from '@colkit/io';
import type {
  OpenSourceOptions,
  Openable as OpenableSource,
  OptionSet,
  RandomAccessSource,
  Reopening,
} from '@colkit/io';
import { begin, contextOf, openedSource, run, runSync, wait } from '@colkit/io/effects';
import type { Begun, Work } from '@colkit/io/effects';
import { SyrahFile } from './items/file.ts';
import type { ItemTypes } from './items/item-record.ts';
import { isHandle } from './items/handle.ts';
import type { SyrahHandle } from './items/handle.ts';
import { partOf } from './items/part-files.ts';
import type { KeyField } from './layout/metadata.ts';
import { GATHERING } from './items/gather/gathering.ts';
import { provideGathering } from './items/gather/provided-gathering.ts';
import { provideLayoutReading } from './layout/provided-reading.ts';
import { LAYOUT_READING, readLayout } from './layout/reading.ts';

export type Openable = OpenableSource | SyrahHandle;

/** `signal` gives up the opening. What a handle says of its source holds where nothing else is said here. */
export interface OpenOptions extends OpenSourceOptions {
  /**
   * Keys that the items have, with their dtypes: `{ features: 'float32', label: 'int32' }`. They are checked when the
   * file is opened (ERR_SCHEMA names every one that is missing or different), and items are typed by them.
   */
  readonly expect?: ItemTypes;
  /**
   * When a remote file's metadata is loaded (16 bytes for each array): all of it at opening ('whole', the default), or
   * of 4,096 items at a time when one of them is first asked for ('parts'), for few items of a large file. With 'parts'
   * `lengths()` throws, and workers load what they need themselves. Metadata of at most 1 MiB, or of an old form, is
   * always loaded whole.
   */
  readonly metadata?: 'whole' | 'parts';
}

export const OPEN_OPTIONS: OptionSet<OpenOptions> = {
  ...SOURCE_OPTIONS,
  expect: option.object('an object of dtypes by key'),
  metadata: option.word('whole', 'parts'),
};

/** What options have shown of the items. */
export type ExpectedItems<O> = O extends { readonly expect: infer E extends ItemTypes } ? E : ItemTypes;

/**
 * Opens a .syr file of any form. Reads the header and the structure of the metadata: well under a millisecond for a
 * local file, however many items it has. The result owns the source: closing it closes a source that was passed in,
 * too.
 * @throws CorruptFileError, UnsupportedError, LimitError for what is no .syr file; IoError where it cannot be read.
 */
export async function open<const O extends OpenOptions = object>(
  what: Openable,
  options: O | OpenOptions = {},
): Promise<SyrahFile<ExpectedItems<O>>> {
  checkOptions('open', OPEN_OPTIONS, options);
  return run(opening<ExpectedItems<O>>(what, options), contextOf(options));
}

/** The same on the calling thread, for local files and bytes. */
export function openSync<const O extends OpenOptions = object>(
  what: Openable,
  options: O | OpenOptions = {},
): SyrahFile<ExpectedItems<O>> {
  provideLayoutReading();
  provideGathering();
  return openLoadedSync(what, options);
}

/** As `openSync`; in a browser once something was opened by `open`, which has loaded what it takes. */
export function openLoadedSync<const O extends OpenOptions = object>(
  what: Openable,
  options: O | OpenOptions = {},
): SyrahFile<ExpectedItems<O>> {
  checkOptions('openSync', OPEN_OPTIONS, options);
  return runSync(opening<ExpectedItems<O>>(what, options), contextOf(options));
}

/** How a source comes to be. */
type Opens = (what: OpenableSource | Reopening, options: OpenSourceOptions) => Work<RandomAccessSource>;

export function* opening<E extends ItemTypes>(
  what: Openable | Reopening,
  options: OpenOptions,
  opens: Opens = openedSource,
): Work<SyrahFile<E>> {
  const { expect = {}, metadata = isHandle(what) ? what.metadata : undefined, ...ofSource } = options;
  const loading: Begun<unknown>[] = [];
  for (const part of [...LAYOUT_READING, ...GATHERING]) loading.push(yield* begin(part));
  const source = yield* opens(isHandle(what) ? what.source : what, ofSource);
  try {
    checkHandle(source, what);
    const known = isHandle(what) ? what.known : undefined;
    const piecewise = source.isSync || metadata === 'parts';
    const layout = yield* readLayout(source, { piecewise, markBeside: !source.isSync, known });
    for (const part of loading) yield* wait(part);
    checkItems(layout.fields, expect);
    const part = layout.mark === null ? null : yield* partOf(source, layout.mark);
    return new SyrahFile<E>(source, layout, backendOf(what, options), part);
  } catch (error) {
    if (!isSource(what)) source.close();
    throw error;
  }
}

function backendOf(what: unknown, { backend }: OpenOptions): SyrahHandle['backend'] {
  return backend ?? (isHandle(what) ? what.backend : 'auto');
}

/** @throws ArgumentError ERR_SCHEMA naming every key that is missing or of another dtype. */
function checkItems(fields: readonly KeyField[], expected: ItemTypes): void {
  const found = new Map(fields.map(({ name, dtype }) => [name, dtype ?? 'items that differ']));
  const wrong = Object.entries(expected).filter(([key, dtype]) => found.get(key) !== dtype);
  if (wrong.length === 0) return;
  const listOf = (keys: readonly (readonly [string, string])[]): string =>
    keys.map(([key, text]) => `${JSON.stringify(key)} ${text}`).join(', ');
  const of = ([key]: readonly [string, string]): readonly [string, string] => [key, found.get(key) ?? 'missing'];
  throw new ArgumentError('ERR_SCHEMA', 'expect', listOf(wrong), listOf(wrong.map(of)));
}

/** @throws IoError ERR_FILE_CHANGED where the file is not the one that the handle was made of. */
function checkHandle(source: RandomAccessSource, handle: unknown): void {
  if (!isHandle(handle)) return;
  const changed = (expected: string, found: string): IoError =>
    new IoError('ERR_FILE_CHANGED', 'open', source.path, `expected ${expected} of the handle but found ${found}`);
  if (source.byteLength !== handle.byteLength)
    throw changed(`the ${String(handle.byteLength)} bytes`, String(source.byteLength));
  const [expected, found] = [handle.version ?? null, source.version ?? null];
  if (expected !== null && found !== null && expected !== found)
    throw changed('the file', 'another one at its place, or one that was written to');
}
