// An Arrow batch -> the same with its times of units that a .cna file does not have as plain integers, and what they
// were: what is a .cna file for a while gets them back from there.
import type { DType } from '@colkit/io';
import type { ArrowTableLike } from '@colkit/table';
import { INT64, valueType, withValueType } from './arrow-plain.ts';
import type { ArrowType } from './arrow-plain.ts';

/** What is looked at of Apache's vectors. */
interface Vector {
  readonly length: number;
  readonly type: ArrowType;
  readonly data: readonly unknown[];
  get(index: number): unknown;
}

// Type ids of the Arrow specification.
const [FLOAT, TIMESTAMP, DURATION] = [3, 10, 18];
const HALF = 0;
const UNITS = ['s', 'ms', 'us', 'ns'] as const;

/** @param types gets the dtypes of the columns that come back as something else, by name. */
export function arrowTicks(table: ArrowTableLike, types: Map<string, DType>): ArrowTableLike {
  const dtypes = table.schema.fields.map(({ name }, position) => {
    const dtype = lostType(table.getChildAt(position) as Vector);
    if (dtype !== null) types.set(name, dtype);
    return dtype;
  });
  if (dtypes.every((dtype) => dtype === null)) return table;
  const { numRows, schema } = table;
  return {
    numRows,
    schema,
    getChildAt(position) {
      const vector = table.getChildAt(position) as Vector;
      const dtype = dtypes[position] ?? null;
      // Halves are floats of 32 bits there, each as it was.
      if (dtype === null || dtype === 'float16') return vector;
      const { length, type, data } = vector;
      return { length, type: withValueType(type, INT64), data, get: (row: number) => vector.get(row) };
    },
  };
}

function lostType({ type }: Vector): DType | null {
  const { typeId, unit: position = -1, precision } = valueType(type);
  const unit = UNITS[position];
  if (typeId === FLOAT && precision === HALF) return 'float16';
  if (unit === undefined) return null;
  if (typeId === DURATION) return `timedelta64[${unit}]`;
  return typeId === TIMESTAMP && unit !== 'us' ? `datetime64[${unit}]` : null;
}
