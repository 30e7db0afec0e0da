// The columns of several parts -> the columns of one table, and for each part where it has them. Columns are told by
// their names; the first part gives the order.
import { ArgumentError } from '@colkit/io';
import type { Field } from '../field.ts';
import type { ConstantColumn, Part } from './part.ts';

/** What happens where a part has other columns than the first: an error, or the table has only the common ones. */
export type OnMismatch = 'strict' | 'drop';

/** Where a part has a column: its own number of it, or the value that all of its rows have. */
export type PartColumn = number | ConstantColumn;

export interface UnitedFields {
  readonly fields: readonly Field[];
  /** For each part its columns in the order of `fields`; null: they are its own columns, in its own order. */
  readonly columns: readonly (readonly PartColumn[] | null)[];
  /** Names that some part lacks, or has of another type. */
  readonly dropped: readonly string[];
}

/** Faults of one part that are named. */
const SHOWN_FAULTS = 5;

/**
 * @throws ArgumentError ERR_SCHEMA naming the part and its columns that differ; with 'drop' only where no column is
 * left.
 */
export function uniteFields(parts: readonly Part[], onMismatch: OnMismatch): UnitedFields {
  const [first] = parts;
  if (first === undefined) return { fields: [], columns: [], dropped: [] };
  const united = new Map(fieldsOf(first).map((field) => [field.name, field]));
  const dropped = new Set<string>();
  for (const part of parts) {
    const isAlike = part.fields === first.fields && part.constants.length + first.constants.length === 0;
    if (isAlike) continue;
    const faults = compare(united, part, dropped);
    if (faults.length > 0 && onMismatch === 'strict') throw mismatch(first, part, faults);
  }
  const fields = [...united.values()].filter(({ name }) => !dropped.has(name));
  if (fields.length === 0 && dropped.size > 0)
    throw new ArgumentError(
      'ERR_SCHEMA',
      'sources',
      'at least one column that all of them have, of one type',
      `none among ${String(parts.length)}`,
    );
  return { fields, columns: parts.map((part) => columnsOf(part, fields)), dropped: [...dropped] };
}

function fieldsOf({ fields, constants }: Part): readonly Field[] {
  const ofPath = new Set(constants.map(({ field }) => field.name));
  return [...fields.filter(({ name }) => !ofPath.has(name)), ...constants.map(({ field }) => field)];
}

/** What differs, in words; nullable columns make the united one nullable. */
function compare(united: Map<string, Field>, part: Part, dropped: Set<string>): readonly string[] {
  const faults: string[] = [];
  const fields = fieldsOf(part);
  const names = new Set<string>();
  for (const field of fields) {
    names.add(field.name);
    const known = united.get(field.name);
    const name = JSON.stringify(field.name);
    if (known?.dtype === field.dtype) {
      if (field.nullable && !known.nullable) united.set(field.name, field);
      continue;
    }
    dropped.add(field.name);
    faults.push(known === undefined ? `${name} more` : `${name} ${field.dtype} (${known.dtype} there)`);
  }
  for (const name of united.keys()) {
    if (names.has(name)) continue;
    dropped.add(name);
    faults.push(`no ${JSON.stringify(name)}`);
  }
  return faults;
}

function mismatch(first: Part, part: Part, faults: readonly string[]): ArgumentError {
  const more = faults.length > SHOWN_FAULTS ? [`${String(faults.length - SHOWN_FAULTS)} more`] : [];
  return new ArgumentError(
    'ERR_SCHEMA',
    'sources',
    `the columns of ${first.name} in each of them ({ onMismatch: 'drop' } keeps the common ones)`,
    `${part.name}: ${[...faults.slice(0, SHOWN_FAULTS), ...more].join(', ')}`,
  );
}

function columnsOf(part: Part, fields: readonly Field[]): readonly PartColumn[] | null {
  const isSame =
    part.constants.length === 0 &&
    part.fields.length === fields.length &&
    part.fields.every(({ name }, number) => name === fields[number]?.name);
  if (isSame) return null;
  const numbers = new Map<string, PartColumn>(part.fields.map(({ name }, number) => [name, number]));
  for (const constant of part.constants) numbers.set(constant.field.name, constant);
  return fields.map(({ name }) => numbers.get(name) as PartColumn);
}
