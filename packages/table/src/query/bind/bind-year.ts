// The year of a column beside a number, as the moments of those years: what statistics prune by, and what is compared
// without computing a year.
import { integerRange } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { daysOfCivil } from '../../values/calendar.ts';
import type { BoundNode, BoundValue, ColumnRef, CompareOperator } from '../bound-predicate.ts';
import { bindLeaf, TypeMismatch } from './bind-leaf.ts';
import { NOTHING, orNode } from './normal-form.ts';

type Operator = Exclude<CompareOperator, 'ne'>;

/** What is true of a year for which the comparison is false. */
const OPPOSITE = { lt: 'ge', ge: 'lt', le: 'gt', gt: 'le' } as const;
/** Years that a Date holds. */
const MOST_YEAR = 270_000;
const MOST_SAFE_YEAR = BigInt(Number.MAX_SAFE_INTEGER);

/** Null where the value is no year of a column, or the moments of the years are not certain. */
export function yearNode(op: Operator, value: BoundValue, year: unknown, negated: boolean): BoundNode | null {
  const column = columnOfYear(value);
  const known = column === null ? null : momentsWithYear(column.info);
  if (column === null || known === null || typeof year !== 'number' || !(Math.abs(year) <= MOST_YEAR)) return null;
  const [least, most] = known;
  const whole = Math.floor(year);
  const before = (end: number): BoundNode => rangeNode(column, least, firstTick(column, end, most) - 1n);
  const from = (start: number): BoundNode => rangeNode(column, firstTick(column, start, most), most);
  if (op === 'eq') {
    // No year is a fraction.
    if (whole !== year) return null;
    if (negated) return orNode([before(year), from(year + 1)]);
    return rangeNode(column, firstTick(column, year, most), firstTick(column, year + 1, most) - 1n);
  }
  switch (negated ? OPPOSITE[op] : op) {
    case 'lt':
      return before(Math.ceil(year));
    case 'le':
      return before(whole + 1);
    case 'gt':
      return from(whole + 1);
    case 'ge':
      return from(Math.ceil(year));
  }
}

function columnOfYear(value: BoundValue): ColumnRef | null {
  if (value.kind !== 'call' || value.name !== 'year') return null;
  const [first] = value.args;
  return first?.kind === 'column' ? first.column : null;
}

/** The first and the last tick whose year is a number that is exact; null: not known. */
function momentsWithYear(info: DTypeInfo): readonly [bigint, bigint] | null {
  if (info.kind !== 'datetime') return null;
  switch (info.unit) {
    case 'D':
      return info.step === 1 ? [daysOfCivil(-MOST_SAFE_YEAR, 1, 1), daysOfCivil(MOST_SAFE_YEAR + 1n, 1, 1) - 1n] : null;
    case 's':
    case 'ms':
    case 'us':
    case 'ns': {
      const [nat, largest] = integerRange(info);
      return info.step === 1 ? [nat + 1n, largest] : null;
    }
    default:
      return null;
  }
}

/** The first tick of a year; one more than `most` where all come before it. */
function firstTick(column: ColumnRef, year: number, most: bigint): bigint {
  const start = new Date(0);
  start.setUTCFullYear(year, 0, 1);
  const outcome = bindLeaf(column, 'ge', start);
  if (outcome instanceof TypeMismatch || typeof outcome === 'string' || outcome.kind !== 'compare') return most + 1n;
  return (outcome.value as bigint) + (outcome.op === 'gt' ? 1n : 0n);
}

function rangeNode(column: ColumnRef, low: bigint, high: bigint): BoundNode {
  const [nat, largest] = integerRange(column.info);
  if (low > high) return NOTHING;
  if (low === high) return { kind: 'compare', column, op: 'eq', value: low };
  if (high === largest) return { kind: 'compare', column, op: 'ge', value: low };
  return low === nat + 1n ? { kind: 'compare', column, op: 'le', value: high } : { kind: 'between', column, low, high };
}
