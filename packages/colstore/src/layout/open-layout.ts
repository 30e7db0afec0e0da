// A file that may be written to at this moment -> its source and its layout. Its size is asked before its counters are
// read: a writer that commits or cuts in between makes them contradict each other, and then both are read again.
import { CorruptFileError, IoError, isSource } from '@colkit/io';
import type { OpenSourceOptions, Openable, RandomAccessSource, Reopening } from '@colkit/io';
import { openedSource, withSource } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { ManifestParser } from './manifest.ts';
import { readLayout } from './read-layout.ts';
import type { FileLayout } from './read-layout.ts';

/** A writer that commits all the time is met between two commits before so many tries. */
const MOST_TRIES = 20;

export interface OpenedLayout {
  readonly source: RandomAccessSource;
  readonly layout: FileLayout;
}

/**
 * Opens a source, which is the caller's then, and reads its layout.
 * @param parse of manifests: as of `readLayout`.
 * @throws what `readLayout` throws, where a second reading of the same bytes says so too.
 */
export function openLayout(
  what: Openable | Reopening,
  options: OpenSourceOptions,
  parse?: ManifestParser,
): Work<OpenedLayout> {
  return layoutBy(() => openedSource(what, options), !isSource(what), parse);
}

/**
 * As `openLayout`, of a source that is opened by `open`.
 * @param isOurs whether it may be closed, and opened again.
 */
export function* layoutBy(
  open: () => Work<RandomAccessSource>,
  isOurs = true,
  parse?: ManifestParser,
): Work<OpenedLayout> {
  let before: string | null = null;
  for (let tries = 1; ; tries += 1) {
    const source = yield* open();
    try {
      return { source, layout: yield* readLayout(source, parse) };
    } catch (error) {
      if (!isOurs) throw error;
      source.close();
      const version = source.isSync ? (source.version ?? null) : null;
      if (!mayBeOfWriter(error) || version === null || version === before || tries === MOST_TRIES) throw error;
      before = version;
    }
  }
}

/** As `openLayout`, for as long as `use` takes: as `whileOpen`. */
export function* withLayout<T>(
  what: Openable,
  options: OpenSourceOptions,
  use: (opened: OpenedLayout) => Work<T>,
): Work<T> {
  return yield* whileOpen(what, yield* openLayout(what, options), use);
}

/**
 * Closes a source that was opened once it was used.
 * @param use is given what is committed; what is behind it may go.
 */
export function whileOpen<T>(what: Openable, opened: OpenedLayout, use: (opened: OpenedLayout) => Work<T>): Work<T> {
  relyOnCommitted(what, opened);
  return withSource(what, sourceOf(opened), 'close', () => use(opened));
}

/** As `withSource` takes it. */
// eslint-disable-next-line require-yield -- it is open already
export function* sourceOf({ source }: OpenedLayout): Work<RandomAccessSource> {
  return source;
}

const mayBeOfWriter = (error: unknown): boolean =>
  error instanceof CorruptFileError || (error instanceof IoError && error.code === 'ERR_FILE_CHANGED');

/**
 * What is behind the committed bytes may go while the source is read. Not of a source that was passed in: others may
 * rely on more of it.
 */
export function relyOnCommitted(what: unknown, { source, layout }: OpenedLayout): void {
  if (!isSource(what)) source.relyOn?.(layout.endOffset);
}
