// A dataset -> pieces of work, told without reading values.
import { ArgumentError, UnknownColumnError, option } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { jsonValue } from '../aggregate/state.ts';
import type { JsonValue } from '../aggregate/state.ts';
import type { PartColumn } from '../composite/unite-fields.ts';
import { statisticsOfConstant } from '../composite/map-predicate.ts';
import type { Field } from '../field.ts';
import { boundPredicate } from '../plan/settling.ts';
import type { Predicate } from '../query/bind/bind.ts';
import type { BoundPredicate } from '../query/bound-predicate.ts';
import type { ColumnStatistics } from '../query/proof/column-statistics.ts';
import { provesNoMatch } from '../query/proof/proof.ts';
import type { QueryParams } from '../query/text/query-params.ts';
import { columnRefs } from '../views/column-refs.ts';
import { viewOf } from '../views/view.ts';
import type { DatasetPart, DatasetSource } from './dataset-source.ts';
import type { PartGroup, PartVersion } from './part-format.ts';

export interface SplitOptions {
  /** Row groups in which nothing matches are in no split. Text, or an expression. */
  readonly where?: Predicate;
  /** Values of the names in a text: `{ max: 5 }` for `@max`. */
  readonly params?: QueryParams;
  /** The columns that will be read, whose bytes count. Default: all. */
  readonly columns?: readonly string[];
  /** Stored bytes of a split, about: a row group is never cut. Default 64 MiB. */
  readonly targetBytes?: number;
  /** Gives the work up with the signal's reason. */
  readonly signal?: AbortSignal;
}

export const SPLIT_OPTIONS: OptionSet<SplitOptions> = {
  where: option.kind<Predicate>('a text or an expression', (value) => value !== null),
  params: option.object('an object of values by name'),
  columns: option.names,
  targetBytes: option.count('bytes', 1),
  signal: option.signal,
};

/** Consecutive rows of one file: plain JSON. */
export interface Split {
  readonly splitVersion: 1;
  /** Path or URL of the file. */
  readonly path: string;
  /** 'cna' */
  readonly format: string;
  /** What the file must be when the split is read: another one is ERR_FILE_CHANGED. */
  readonly version: PartVersion;
  /** Of the file: [start, end). */
  readonly rows: { readonly start: number; readonly end: number };
  /** Stored bytes of the columns that were asked about. */
  readonly byteLength: number;
  /** The columns of the dataset. */
  readonly fields: readonly Field[];
  /** What the path says. */
  readonly values: readonly { readonly field: Field; readonly value: JsonValue }[];
}

const TARGET_BYTES = 64 << 20;

export function* splitsOf(source: DatasetSource, options: SplitOptions): Work<readonly Split[]> {
  const { where, params, columns, targetBytes = TARGET_BYTES } = options;
  const { united } = source;
  const { projection } = viewOf(source);
  // Splits are the user's: what is changed in one must change neither the dataset nor another one.
  const fields = projection.shown.fields;
  const refs = columnRefs(projection);
  const bound = where === undefined ? null : yield* boundPredicate(where, refs, params);
  const asked = new Set(bound?.columns ?? []);
  const names = fields.map(({ name }) => name);
  for (const name of columns ?? names) {
    const number = names.indexOf(name);
    if (number === -1) throw new UnknownColumnError(name, names);
    asked.add(number);
  }
  const splits: Split[] = [];
  for (const [index, part] of source.files.entries()) {
    if (part.place.isUnnamed === true)
      throw new ArgumentError('ERR_ARGUMENT', 'splits', 'files that have a path or a URL', 'one of bytes or a Blob');
    const own = united.columns[index] ?? null;
    const columnOf = (number: number): PartColumn => (own === null ? number : (own[number] as PartColumn));
    const known = statisticsBy(part, columnOf, (column) => part.head.statisticsOf(column));
    if (bound !== null && provesNoMatch(bound, known) !== null) continue;
    const stored = [...asked].map(columnOf).filter((column) => typeof column === 'number');
    const groups = yield* part.head.groups(stored);
    for (const { start, end, byteLength } of runsOf(part, groups, stored, columnOf, bound, targetBytes))
      splits.push({
        splitVersion: 1,
        path: part.place.name,
        format: part.format.name,
        version: { ...part.head.version },
        rows: { start, end },
        byteLength,
        fields,
        values: part.constants.map(({ field, value }) => ({ field: { ...field }, value: jsonValue(value) })),
      });
  }
  return splits;
}

function statisticsBy(
  { head }: DatasetPart,
  columnOf: (number: number) => PartColumn,
  of: (column: number) => ColumnStatistics | null,
): (number: number) => ColumnStatistics | null {
  return (number) => {
    const own = columnOf(number);
    return typeof own === 'number' ? of(own) : statisticsOfConstant(own, head.rowCount);
  };
}

interface Run {
  start: number;
  end: number;
  byteLength: number;
}

/** Neighbouring row groups, until they have enough bytes. */
function runsOf(
  part: DatasetPart,
  groups: readonly PartGroup[],
  stored: readonly number[],
  columnOf: (number: number) => PartColumn,
  bound: BoundPredicate | null,
  targetBytes: number,
): readonly Run[] {
  const runs: Run[] = [];
  let start = 0;
  for (const { rowCount, byteLengths, statistics } of groups) {
    const end = start + rowCount;
    const known = statisticsBy(part, columnOf, (column) => statistics[stored.indexOf(column)] ?? null);
    if (bound === null || provesNoMatch(bound, known) === null) {
      const byteLength = byteLengths.reduce((sum, each) => sum + each, 0);
      const last = runs.at(-1);
      if (last?.end === start && last.byteLength + byteLength <= targetBytes) {
        last.end = end;
        last.byteLength += byteLength;
      } else runs.push({ start, end, byteLength });
    }
    start = end;
  }
  return runs;
}
