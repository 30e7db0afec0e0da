// `region=EMEA/day=2024-01-02/part.cna` -> the values that all rows of the file have, as Hive, Spark, pyarrow and
// DuckDB write them; and which type the values of all files have.
import { ArgumentError, parseDType } from '@colkit/io';
import type { DType } from '@colkit/io';
import type { ConstantColumn } from '../composite/part.ts';
import type { StatisticsValue } from '../query/proof/column-statistics.ts';
import { fromISO } from '../values/time.ts';

/** What stands for a null in a path. */
export const NULL_VALUE = '__HIVE_DEFAULT_PARTITION__';

/** The types that a value of a path can be given. */
export type PartitionType = 'string' | 'bool' | 'int32' | 'int64' | 'float64' | `datetime64[${string}]`;

/** Names and texts, from the outermost folder in. */
export type PathValues = ReadonlyMap<string, string | null>;

const NO_VALUES: PathValues = new Map();

/** The last part of the path is the file's name. A name that comes twice is that of the inner folder. */
export function valuesOfPath(path: string): PathValues {
  if (!path.includes('=')) return NO_VALUES;
  const values = new Map<string, string | null>();
  for (const segment of path.split(/[/\\]/u).slice(0, -1)) {
    const at = segment.indexOf('=');
    if (at < 1) continue;
    const text = segment.slice(at + 1);
    values.set(decoded(segment.slice(0, at)), text === NULL_VALUE ? null : decoded(text));
  }
  return values;
}

/** A value as the name of a folder says it. */
export function segmentOf(name: string, value: string | null): string {
  return `${encodedName(name)}=${value === null ? NULL_VALUE : encoded(value)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that stands for itself.
    return text;
  }
}

/** A folder whose name starts with . or _ is hidden, and what is in it is no part. */
function encodedName(name: string): string {
  const first = name.startsWith('_') ? '%5F' : name.startsWith('.') ? '%2E' : '';
  return first === '' ? encoded(name) : `${first}${encoded(name.slice(1))}`;
}

/** As few characters as file systems, URLs and other readers need. */
function encoded(text: string): string {
  // The text is not the null.
  if (text === NULL_VALUE) return text.replace('_', '%5F');
  const plain = encodeURIComponent(text);
  return plain === '.' || plain === '..' ? plain.replaceAll('.', '%2E') : plain;
}

/**
 * The columns of the paths of all files, for each file its values. A name that some path lacks is null there.
 * @param given types; others are found out: int64 where all values are integers, datetime64[D] where all are days, else
 * text.
 * @throws ArgumentError ERR_SCHEMA for a value that is not of the given type, or a name that no path has.
 */
export function pathColumns(
  paths: readonly PathValues[],
  given: Readonly<Record<string, PartitionType>> | undefined,
): readonly (readonly ConstantColumn[])[] {
  const names = new Set(Object.keys(given ?? {}));
  for (const values of paths) for (const name of values.keys()) names.add(name);
  const none: readonly ConstantColumn[] = [];
  if (names.size === 0 || paths.length === 0) return paths.map(() => none);
  const columns = [...names].map((name) => {
    const texts = new Set(paths.map((values) => values.get(name) ?? null));
    if (texts.size === 1 && texts.has(null) && !paths.some((values) => values.has(name)))
      throw new ArgumentError('ERR_SCHEMA', `partitions.${name}`, 'a name that paths have', 'none that has it');
    const dtype: DType = (given !== undefined && Object.hasOwn(given, name) ? given[name] : undefined) ?? typeOf(texts);
    const field = { name, dtype, nullable: texts.has(null) };
    const known = new Map<string | null, ConstantColumn>();
    for (const text of texts) known.set(text, { field, value: text === null ? null : valueOf(name, text, dtype) });
    return { name, known };
  });
  return paths.map((values) => columns.map(({ name, known }) => known.get(values.get(name) ?? null) as ConstantColumn));
}

const INTEGER = /^-?(?:0|[1-9]\d{0,18})$/u;
const DAY = /^\d{4}-\d{2}-\d{2}$/u;

function typeOf(texts: ReadonlySet<string | null>): DType {
  const all = [...texts].filter((text) => text !== null);
  if (all.length === 0) return 'string';
  if (all.every((text) => INTEGER.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text))) return 'int64';
  return all.every((text) => DAY.test(text) && isMoment(text)) ? 'datetime64[D]' : 'string';
}

function isMoment(text: string): boolean {
  try {
    fromISO(text, 'datetime64[D]');
    return true;
  } catch {
    return false;
  }
}

/** In the column's own form. */
function valueOf(name: string, text: string, dtype: DType): StatisticsValue {
  const value = tryValue(text, dtype);
  if (value === null)
    throw new ArgumentError('ERR_SCHEMA', `partitions.${name}`, `values of ${dtype}`, JSON.stringify(text));
  return value;
}

function tryValue(text: string, dtype: DType): StatisticsValue | null {
  switch (dtype) {
    case 'string':
      return text;
    case 'bool':
      return /^(?:true|1)$/iu.test(text) ? true : /^(?:false|0)$/iu.test(text) ? false : null;
    case 'int32':
      return /^-?\d+$/u.test(text) && Number(text) === (Number(text) | 0) ? Number(text) : null;
    case 'int64':
      return /^-?\d+$/u.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text) ? BigInt(text) : null;
    case 'float64':
      return text.trim() !== '' && !Number.isNaN(Number(text)) ? Number(text) : null;
    default:
      break;
  }
  try {
    return parseDType(dtype).kind === 'datetime' ? fromISO(text.replace(' ', 'T'), dtype) : null;
  } catch {
    return null;
  }
}
