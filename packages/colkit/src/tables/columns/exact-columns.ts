// Columns -> the same values as those of another type, where none of them changes by it: integers and floats of another
// width, integers as floats, text of a width, moments of another unit. A value that would change is an error when it is
// read.
import { ArgumentError, describeValue, dtypeFacts, isFloat, isMoment, parseDType, typedArrayOver } from '@colkit/io';
import type { DType, DTypeInfo } from '@colkit/io';
import { ATTOSECONDS, NAT, editTable, toISO } from '@colkit/table';
import type { ColumnFunction, Field, Table } from '@colkit/table';
import { READ_ONLY } from './read-only.ts';

/** Bits of the whole numbers that a float holds, every one of them. */
const WHOLE_BITS: Readonly<Record<number, number>> = { 2: 11, 4: 24, 8: 53 };
export interface FittedTable {
  readonly table: Table;
  /** Columns of which a value may not fit. */
  readonly doubtful: readonly string[];
}

/** The table with the types that a schema has for columns of these names, as far as there is a way. Reads nothing. */
export function exactColumns(table: Table, schema: readonly Field[]): FittedTable {
  const types = new Map(schema.map(({ name, dtype }) => [name, dtype]));
  const doubtful: string[] = [];
  let edited = editTable(table, READ_ONLY);
  for (const { name, dtype, nullable } of table.schema) {
    const wanted = types.get(name) ?? dtype;
    const way = wanted === dtype ? null : wayOf(parseDType(dtype), parseDType(wanted), name);
    if (way === null) continue;
    if (way.isDoubtful) doubtful.push(name);
    edited =
      way.compute === null
        ? edited.cast(new Map([[name, wanted]]))
        : edited.apply(name, [name], way.compute, { dtype: wanted, nullable });
  }
  return { table: edited.table, doubtful };
}

interface Way {
  /** Null: a cast, which refuses what the type does not hold. */
  readonly compute: ColumnFunction<[Cells]> | null;
  readonly isDoubtful: boolean;
}

type Cells = ArrayLike<number | bigint | null>;

/** Null: there is none, and who writes the rows says so. */
function wayOf(from: DTypeInfo, to: DTypeInfo, name: string): Way | null {
  const [given, wanted] = [dtypeFacts(from), dtypeFacts(to)];
  if (given.value === 'text' && wanted.value === 'text') return { compute: null, isDoubtful: to.itemBytes > 0 };
  if (given.value === 'int' && wanted.value === 'int') {
    const bits = 8 * to.itemBytes - (wanted.isUnsigned ? 0 : 1);
    const isWider = 8 * from.itemBytes - (given.isUnsigned ? 0 : 1) <= bits && (given.isUnsigned || !wanted.isUnsigned);
    return { compute: null, isDoubtful: !isWider };
  }
  if (isFloat(to) && (given.value === 'int' || isFloat(from))) {
    const isWider = isFloat(from)
      ? from.itemBytes <= to.itemBytes
      : 8 * from.itemBytes <= (WHOLE_BITS[to.itemBytes] ?? 0);
    return isWider ? { compute: null, isDoubtful: false } : { compute: exactFloats(to, name), isDoubtful: true };
  }
  if (!isMoment(from) || !isMoment(to) || from.step !== 1 || to.step !== 1) return null;
  const [own, other] = [from, to].map(({ unit }) => (unit === null ? null : ATTOSECONDS[unit]));
  if (own == null || other == null) return null;
  return { compute: own >= other ? null : exactMoments(from.name, other / own, to.name, name), isDoubtful: true };
}

function exactFloats(to: DTypeInfo, name: string): ColumnFunction<[Cells]> {
  return floats(to, name, `values that ${to.name} holds exactly`, (stored, cell) =>
    typeof cell === 'bigint' ? Number.isFinite(stored) && BigInt(stored) === cell : Object.is(stored, cell),
  );
}

/** Numbers -> the nearest of the type: what text says of a value. One that is too large is refused. */
export function nearestFloats(to: DTypeInfo, name: string): ColumnFunction<[Cells]> {
  return floats(to, name, to.name, (stored, cell) => Number.isFinite(stored) || !Number.isFinite(Number(cell)));
}

/** The nearest floats of the type, as far as they are taken for what they are of. */
function floats(
  to: DTypeInfo,
  name: string,
  expected: string,
  isTaken: (stored: number, cell: number | bigint) => boolean,
): ColumnFunction<[Cells]> {
  const item = typedArrayOver(to, new Uint8Array(to.itemBytes));
  return (cells) =>
    Array.from(cells, (cell) => {
      if (cell === null) return null;
      item[0] = Number(cell);
      const stored = item[0];
      if (isTaken(stored, cell)) return stored;
      throw unheld(name, expected, cell);
    });
}

function exactMoments(from: DType, factor: bigint, to: DType, name: string): ColumnFunction<[Cells]> {
  return (cells) =>
    Array.from(cells, (cell) => {
      if (cell === null || cell === NAT) return cell;
      const ticks = (cell as bigint) / factor;
      if (ticks * factor === cell) return ticks;
      throw unheld(name, `moments that ${to} holds exactly`, toISO(cell as bigint, from));
    });
}

function unheld(name: string, expected: string, found: unknown): ArgumentError {
  return new ArgumentError('ERR_VALUE', `column ${JSON.stringify(name)}`, expected, describeValue(found));
}
