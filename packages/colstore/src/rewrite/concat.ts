// concat: files of one schema -> their rows, one file behind the other, in one new file.
import { ArgumentError, checkOptions, describeValue, filePath, option, optionsNow } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { writeFile } from '@colkit/io/durable';
import { TURN, contextOf, operationOf, perform, run, runSync } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import { ChunkJoiner, Table, toInputColumns } from '@colkit/table';
import type { Chunk, InputColumn, InputColumns } from '@colkit/table';
import { resolve } from 'node:path';
import { StoredTable } from '../columns/stored-table.ts';
import type { FileInfo } from '../info.ts';
import { openLayout, relyOnCommitted } from '../layout/open-layout.ts';
import { givenFiles } from '../many/given-files.ts';
import { planFile } from '../write/plan-file.ts';
import type { FileForm } from '../write/plan-file.ts';
import { streamFile } from '../write/stream-file.ts';
import { infoAt } from './compact.ts';
import { OUT_OPTION, REWRITE_OPTIONS } from './rewrite-options.ts';
import type { RewriteOptions } from './rewrite-options.ts';

export interface ConcatOptions extends RewriteOptions {
  /** Where the new file goes: none of the sources. */
  readonly out: string | URL;
  /** Default 'records': what today's Python releases read, and what can grow. */
  readonly layout?: FileForm;
}

export const CONCAT_OPTIONS: OptionSet<ConcatOptions> = {
  ...REWRITE_OPTIONS,
  out: OUT_OPTION,
  layout: option.word('flat', 'records'),
};

/**
 * Writes the rows of all files, in their order, as one record of a new file, in bounded memory. Sources are files,
 * folders of them and patterns (`runs/run_*.cstore`), as of `open`. All must have the columns and dtypes of the first,
 * in any order; the sources stay as they are.
 * @returns what the new file says of itself.
 * @throws ArgumentError ERR_SCHEMA naming file and column, ERR_ARGUMENT for no sources, or `out` among them; IoError
 * ERR_NOT_FOUND, ERR_EXISTS, ERR_LOCKED, ERR_WRITE; CorruptFileError.
 */
export async function concat(sources: readonly (string | URL)[], options: ConcatOptions): Promise<FileInfo> {
  checkOptions('concat', CONCAT_OPTIONS, options);
  return run(concatenating(sources, optionsNow(options)), contextOf(options));
}

export function concatSync(sources: readonly (string | URL)[], options: ConcatOptions): FileInfo {
  checkOptions('concatSync', CONCAT_OPTIONS, options);
  return runSync(concatenating(sources, options), contextOf(options));
}

function* concatenating(sources: readonly (string | URL)[], options: ConcatOptions): Work<FileInfo> {
  const given: unknown = sources;
  if (!Array.isArray(given) || given.length === 0)
    throw new ArgumentError('ERR_ARGUMENT', 'sources', 'paths of files, at least one', describeValue(given));
  const out: unknown = (options as Partial<ConcatOptions> | undefined)?.out;
  if (out === undefined) throw new ArgumentError('ERR_ARGUMENT', 'out', 'the path of the new file', 'none');
  const target = resolve(filePath(options.out));
  for (const source of sources) filePath(source);
  const found = yield* givenFiles(sources);
  const files = (found?.files ?? []).map((file) => filePath(file as string | URL));
  if (files.some((file) => resolve(file) === target))
    throw new ArgumentError('ERR_ARGUMENT', 'out', 'a path that is none of the sources', target);
  const tables: StoredTable[] = [];
  try {
    for (const file of files) {
      yield TURN;
      const opened = yield* openLayout(file, {});
      relyOnCommitted(file, opened);
      tables.push(new StoredTable(opened.source, opened.layout));
    }
    const input = joined(
      tables.map((table) => toInputColumns(new Table(table), { nulls: 'refuse' })),
      files,
    );
    const plan = planFile(input.fields, input.rowCount, options.layout ?? 'records');
    yield* writeFile(options.out, { ...options, flock: true }, (output) => streamFile(output, plan, input, options));
  } finally {
    for (const table of tables) table.close();
  }
  return yield* infoAt(options.out);
}

function joined(inputs: readonly InputColumns[], files: readonly string[]): InputColumns {
  const [first] = inputs;
  if (first === undefined) throw new ArgumentError('ERR_ARGUMENT', 'sources', 'at least one file', 'none');
  const rowCount = inputs.reduce((sum, input) => sum + input.rowCount, 0);
  const parts = inputs.map((input, number) => matching(input, first, files[number] as string));
  const columns = first.columns.map(
    (column, number) =>
      new JoinedColumn(
        column,
        parts.map((part) => part[number] as InputColumn),
        rowCount,
      ),
  );
  return { fields: first.fields, rowCount, columns };
}

/** The columns of a file in the order of the first. */
function matching(input: InputColumns, first: InputColumns, path: string): readonly InputColumn[] {
  const byName = new Map(input.columns.map((column) => [column.field.name, column]));
  const columns = first.fields.map(({ name, dtype }) => {
    const column = byName.get(name);
    if (column?.field.dtype !== dtype)
      throw new ArgumentError(
        'ERR_SCHEMA',
        `${path}: column ${JSON.stringify(name)}`,
        `${dtype}, as in the first file`,
        column?.field.dtype ?? 'no such column',
      );
    return column;
  });
  const extra = input.fields.find(({ name }) => !first.fields.some((field) => field.name === name));
  if (extra !== undefined)
    throw new ArgumentError(
      'ERR_SCHEMA',
      `${path}: columns`,
      'only those of the first file',
      `column ${JSON.stringify(extra.name)}`,
    );
  return columns;
}

class JoinedColumn implements InputColumn {
  readonly field: InputColumn['field'];
  readonly info: InputColumn['info'];
  readonly rowCount: number;
  readonly #parts: readonly InputColumn[];
  /** Which part was read last, and where it starts: a column is read from front to back. */
  #part = 0;
  #partStart = 0;

  constructor({ field, info }: InputColumn, parts: readonly InputColumn[], rowCount: number) {
    this.field = field;
    this.info = info;
    this.rowCount = rowCount;
    this.#parts = parts;
  }

  read(start: number, end: number): Operation<Chunk> {
    return operationOf(() => this.#read(start, end));
  }

  *#read(start: number, end: number): Work<Chunk> {
    const joiner = new ChunkJoiner(this.info.itemBytes, end - start);
    for (const { part, from, to } of this.#partsOf(start, end)) joiner.add(yield* perform(part.read(from, to)));
    return joiner.take();
  }

  /** The rows of parts that rows [start, end) are. */
  #partsOf(start: number, end: number): { part: InputColumn; from: number; to: number }[] {
    if (start < this.#partStart) [this.#part, this.#partStart] = [0, 0];
    const found: { part: InputColumn; from: number; to: number }[] = [];
    for (let row = start; row < end; ) {
      const part = this.#parts[this.#part] as InputColumn;
      const partEnd = this.#partStart + part.rowCount;
      if (row >= partEnd) {
        this.#part += 1;
        this.#partStart = partEnd;
        continue;
      }
      const to = Math.min(end, partEnd);
      found.push({ part, from: row - this.#partStart, to: to - this.#partStart });
      row = to;
    }
    return found;
  }
}
