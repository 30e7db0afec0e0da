// For how many integers or ticks of one column that follow one another an expression has the same value.
import { isMoment, isTime } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import type { BoundValue } from '../query/bound-predicate.ts';
import { ATTOSECONDS_OF_SECOND, PERIOD_SECONDS } from '../query/evaluate/date-parts.ts';
import { isDatePart } from '../query/functions.ts';
import type { DatePart } from '../query/functions.ts';
import { ATTOSECONDS } from '../values/time.ts';

/** From each multiple of it on, the value is the same for so many; at least 1. */
export function widthOf(value: BoundValue): bigint {
  return commonWidth(value) ?? 1n;
}

/** Null of a constant. Widths of parts of moments are multiples of each other: the least of them is common to all. */
function commonWidth(value: BoundValue): bigint | null {
  switch (value.kind) {
    case 'literal':
      return null;
    case 'arithmetic':
      return least([value.left, value.right]);
    case 'call': {
      const [of] = value.args;
      const isPart = isDatePart(value.name) && of?.kind === 'column';
      return isPart ? widthOfPart(value.name, of.column.info) : least(value.args);
    }
    default:
      return 1n;
  }
}

function least(values: readonly BoundValue[]): bigint | null {
  const widths = values.map(commonWidth).filter((width) => width !== null);
  return widths.reduce<bigint | null>((found, width) => (found === null || width < found ? width : found), null);
}

function widthOfPart(part: DatePart, info: DTypeInfo): bigint {
  const perUnit = isMoment(info) && info.unit !== null ? ATTOSECONDS[info.unit] : null;
  if (perUnit === null || !isTime(info)) return 1n;
  const tick = perUnit * BigInt(info.step);
  const length = PERIOD_SECONDS[part] * ATTOSECONDS_OF_SECOND;
  return length % tick === 0n ? length / tick : 1n;
}
