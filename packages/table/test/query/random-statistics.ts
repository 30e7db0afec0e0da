// Statistics of a column as a format might have them.
import { parseDType } from '@colkit/io';
import type { OracleColumn } from '@colkit/testkit';
import { compareText } from '../../src/index.ts';
import type { ColumnStatistics, StatisticsValue } from '../../src/index.ts';
import type { Draw } from './random-predicates.ts';

const NAT = -(2n ** 63n);

/** Any part missing, bounds moved outwards, text cut. */
export function randomStatistics(draw: Draw, { dtype, values }: OracleColumn): ColumnStatistics | null {
  if (draw.below(12) === 0) return null;
  const { kind } = parseDType(dtype);
  const ticks = kind === 'datetime' || kind === 'timedelta';
  // NaT is left out and counted, or taken for the smallest integer.
  const natIsSmallest = ticks && draw.below(2) === 0;
  const isNaN = (value: unknown): boolean => Number.isNaN(value) || (ticks && value === NAT && !natIsSmallest);
  const present = values.filter((value) => value !== null && !isNaN(value)) as StatisticsValue[];
  present.sort(byOrder);
  const nanCount = values.filter(isNaN).length;
  const wide = draw.below(3) === 0;
  const missing = (): boolean => draw.below(8) === 0;
  const [min, max] = [present[0] ?? null, present.at(-1) ?? null];
  return {
    rowCount: values.length,
    nullCount: missing() ? null : values.filter((value) => value === null).length,
    nanCount: missing() ? null : nanCount,
    min: missing() || min === null ? null : bound(wide ? lower(draw, min, dtype) : min, draw),
    max: missing() || max === null ? null : bound(wide ? higher(draw, max, dtype) : max, draw),
    minExact: !wide,
    maxExact: !wide,
  };
}

/** Text now and then as its bytes. */
function bound(value: StatisticsValue, draw: Draw): StatisticsValue {
  return typeof value === 'string' && draw.below(2) === 0 ? new TextEncoder().encode(value) : value;
}

function byOrder(left: StatisticsValue, right: StatisticsValue): number {
  if (typeof left === 'string') return compareText(left, right as string);
  if (left instanceof Uint8Array) return Buffer.compare(left, right as Uint8Array);
  return left < (right as typeof left) ? -1 : left > (right as typeof left) ? 1 : 0;
}

function lower(draw: Draw, min: StatisticsValue, dtype: string): StatisticsValue {
  if (typeof min === 'bigint') return dtype === 'uint64' ? min / 2n : min - BigInt(draw.below(3));
  if (typeof min === 'number')
    return min - draw.below(3) / 2 > min
      ? min
      : dtype.startsWith('float')
        ? min - draw.below(3) / 2
        : min - draw.below(3);
  if (typeof min === 'string') return [...min].slice(0, draw.below(3)).join('');
  return min instanceof Uint8Array ? min.slice(0, draw.below(3)) : false;
}

function higher(draw: Draw, max: StatisticsValue, dtype: string): StatisticsValue {
  if (typeof max === 'bigint') return max + BigInt(draw.below(3));
  if (typeof max === 'number') return dtype.startsWith('float') ? max + draw.below(3) / 2 : max + draw.below(3);
  if (typeof max === 'string') return `${max}${'a'.repeat(draw.below(2))}`;
  return max instanceof Uint8Array ? Uint8Array.of(...max, draw.below(256)) : true;
}
