// Several .cstore files as one table. Of each the header is read once, when the table is opened; its bytes when they
// are needed, and then what was committed when the table was opened.
import { IoError } from '@colkit/io';
import type { OpenSourceOptions, Openable, RandomAccessSource } from '@colkit/io';
import { begin, openedSource, operationOf, wait, willReadFiles, withSource } from '@colkit/io/effects';
import type { Begun, Work } from '@colkit/io/effects';
import { localPath } from '@colkit/io/listing';
import { CompositeTable, uniteFields } from '@colkit/table';
import type { Field, OnMismatch, Part, TableSource } from '@colkit/table';
import { StoredTable } from '../columns/stored-table.ts';
import type { StoredTableOptions } from '../columns/stored-table.ts';
import { FIRST_READ_BYTES } from '../layout/constants.ts';
import { rememberingParser } from '../layout/manifest.ts';
import type { ManifestParser } from '../layout/manifest.ts';
import { openLayout, withLayout } from '../layout/open-layout.ts';
import type { OpenedLayout } from '../layout/open-layout.ts';
import { readStatistics } from '../layout/read-layout.ts';
import type { FileLayout } from '../layout/read-layout.ts';
import type { Statistics } from '../layout/statistics-footer.ts';
import { verifyLayout } from '../layout/verify.ts';
import type { GivenFiles } from './given-files.ts';
import { JoinedFiles } from './joined-files.ts';

/** Files whose headers are read at the same time. */
const OPENED_AHEAD = 8;
/** Files whose first bytes are asked for together. */
const ASKED_TOGETHER = 64;

export interface ManyFilesOptions {
  readonly onMismatch: OnMismatch;
  readonly verify: boolean;
  readonly source: OpenSourceOptions;
  readonly table: StoredTableOptions;
}

/** A file, as its header told it. */
interface KnownFile {
  readonly what: Openable;
  readonly layout: FileLayout;
  readonly version: string | null;
  readonly fileId: string | null;
}

export class ManyFiles extends CompositeTable {
  /** Columns that not all files have, and that the table therefore lacks. */
  readonly dropped: readonly string[];
  readonly #files: readonly KnownFile[];
  readonly #options: ManyFilesOptions;

  /** Opens what it was opened from once more: a folder may have more files by then. */
  readonly again: () => Work<StoredTable | ManyFiles>;

  constructor(
    name: string,
    files: readonly KnownFile[],
    options: ManyFilesOptions,
    again: () => Work<StoredTable | ManyFiles>,
  ) {
    const parts = partsOf(files, options);
    const united = uniteFields(parts, options.onMismatch);
    const layouts = files.map(({ layout }) => layout);
    const open = (number: number): Work<RandomAccessSource> => openUnchanged(files[number] as KnownFile, options);
    super(name, parts, united, new JoinedFiles({ name, layouts, open, options: options.table }, united));
    this.again = again;
    this.dropped = united.dropped;
    this.#files = files;
    this.#options = options;
  }

  get layouts(): readonly FileLayout[] {
    return this.#files.map(({ layout }) => layout);
  }

  /** For each file what its statistics footer says; files are opened for it one by one. */
  *statistics(): Work<readonly (Statistics | null)[]> {
    const found: (Statistics | null)[] = [];
    for (const file of this.#files) found.push(yield* readFileStatistics(file, this.#options));
    return found;
  }
}

/** @throws what opening one file throws, for the first that fails; ArgumentError ERR_SCHEMA. */
export function* openMany(
  { name, files }: GivenFiles,
  options: ManyFilesOptions,
  again: () => Work<StoredTable | ManyFiles>,
): Work<ManyFiles> {
  const known: KnownFile[] = [];
  const ahead: Begun<KnownFile>[] = [];
  const parse = rememberingParser();
  for (const [number, what] of files.entries()) {
    if (number % ASKED_TOGETHER === 0)
      willReadFiles(
        files.slice(number, number + ASKED_TOGETHER).map((each) => localPath(each) ?? ''),
        FIRST_READ_BYTES,
        options.source.backend,
      );
    ahead.push(yield* begin(operationOf(() => readHead(what, options, parse))));
    if (ahead.length >= OPENED_AHEAD) known.push(yield* wait(ahead.shift() as Begun<KnownFile>));
  }
  for (const begun of ahead) known.push(yield* wait(begun));
  return new ManyFiles(name, known, options, again);
}

function* readHead(
  what: Openable,
  { source: options, verify }: ManyFilesOptions,
  parse: ManifestParser,
): Work<KnownFile> {
  const { source, layout } = yield* openLayout(what, options, parse);
  try {
    if (verify) yield* verifyLayout(source, layout);
    return { what, layout, version: source.version ?? null, fileId: source.fileId ?? null };
  } finally {
    source.close();
  }
}

function partsOf(files: readonly KnownFile[], options: ManyFilesOptions): readonly Part[] {
  // Files of one schema share its fields, which makes comparing them cheap.
  const schemas = new Map<string, readonly Field[]>();
  const known = new Map<FileLayout['columns'], readonly Field[]>();
  return files.map((file): Part => {
    const { layout } = file;
    const fields = known.get(layout.columns) ?? fieldsOf(layout, schemas);
    known.set(layout.columns, fields);
    return {
      name: layout.path,
      rowCount: layout.rowCount,
      fields,
      constants: [],
      knowsPlans: layout.statisticsOffset >= layout.endOffset,
      open: () => openPart(file, options),
    };
  });
}

/** @param schemas by what they are. */
function fieldsOf({ columns }: FileLayout, schemas: Map<string, readonly Field[]>): readonly Field[] {
  const key = JSON.stringify(columns.map(({ name, dtype }) => [name, dtype.name]));
  const fields = schemas.get(key) ?? columns.map(({ name, dtype }) => ({ name, dtype: dtype.name, nullable: false }));
  schemas.set(key, fields);
  return fields;
}

function openPart(file: KnownFile, options: ManyFilesOptions): Work<TableSource> {
  const opening = openedSource(file.what, options.source);
  return withSource(file.what, opening, 'keep', (source) => tableOf(file, source, options));
}

function openUnchanged(file: KnownFile, options: ManyFilesOptions): Work<RandomAccessSource> {
  const opening = openedSource(file.what, options.source);
  return withSource(file.what, opening, 'keep', (source) => unchanged(file, source, options));
}

function* unchanged(file: KnownFile, source: RandomAccessSource, options: ManyFilesOptions): Work<RandomAccessSource> {
  yield* checkUnchanged(file, source, options);
  source.relyOn?.(file.layout.endOffset);
  return source;
}

function* tableOf(file: KnownFile, source: RandomAccessSource, options: ManyFilesOptions): Work<TableSource> {
  return new StoredTable(yield* unchanged(file, source, options), file.layout, options.table);
}

function readFileStatistics(file: KnownFile, options: ManyFilesOptions): Work<Statistics | null> {
  const opening = openedSource(file.what, options.source);
  return withSource(file.what, opening, 'close', (source) => statisticsOf(file, source, options));
}

function* statisticsOf(
  file: KnownFile,
  source: RandomAccessSource,
  options: ManyFilesOptions,
): Work<Statistics | null> {
  yield* checkUnchanged(file, source, options);
  return yield* readStatistics(source, file.layout);
}

/**
 * A file may have grown since its header was read: what was committed then lies where it lay.
 * @throws IoError ERR_FILE_CHANGED where it is another file, or its rows are others.
 */
function* checkUnchanged(file: KnownFile, source: RandomAccessSource, options: ManyFilesOptions): Work<void> {
  const { layout, version, fileId } = file;
  const now = source.version ?? null;
  const isLongEnough = source.byteLength >= layout.endOffset;
  if (version === now && isLongEnough) return;
  const isGrown = fileId !== null && fileId === source.fileId && isLongEnough;
  if (isGrown && (yield* withLayout(file.what, options.source, (grown) => hasGrownFrom(file, grown)))) return;
  throw new IoError(
    'ERR_FILE_CHANGED',
    'read',
    layout.path,
    'the file was replaced or written anew since the table was opened; open the table again',
  );
}

// eslint-disable-next-line require-yield -- all of it is known
function* hasGrownFrom({ layout, fileId }: KnownFile, now: OpenedLayout): Work<boolean> {
  return now.source.fileId === fileId && startsWith(now.layout, layout);
}

/** Whether the records of a layout are the first ones of another. */
function startsWith(grown: FileLayout, layout: FileLayout): boolean {
  return (
    grown.columns.length === layout.columns.length &&
    grown.columns.every(({ name, descr }, number) => {
      const column = layout.columns[number];
      return name === column?.name && descr === column.descr;
    }) &&
    layout.rowStarts.every((start, record) => grown.rowStarts[record] === start) &&
    layout.bodyOffsets.every((offset, record) => grown.bodyOffsets[record] === offset)
  );
}
