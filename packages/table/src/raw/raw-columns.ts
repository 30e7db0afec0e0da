// A column of a table as the addon looks at it, where it can: what its stored items are.
import { RAW_LIMITS } from '@colkit/io';
import type { DTypeInfo, RawColumn, RawType } from '@colkit/io';

const TYPES: Readonly<Record<string, RawType>> = {
  bool: 'bool',
  int8: 'int8',
  int16: 'int16',
  int32: 'int32',
  int64: 'int64',
  uint8: 'uint8',
  uint16: 'uint16',
  uint32: 'uint32',
  uint64: 'uint64',
  float16: 'float16',
  float32: 'float32',
  float64: 'float64',
};

/** Null for what the addon does not look at: float128, and what is very wide. */
export function rawColumn(number: number, info: DTypeInfo, isSwapped: boolean): RawColumn | null {
  const type = typeOf(info);
  return type === null || info.itemBytes > RAW_LIMITS.itemBytes ? null : { number, type, isSwapped };
}

function typeOf(info: DTypeInfo): RawType | null {
  switch (info.kind) {
    case 'datetime':
    case 'timedelta':
      return 'ticks';
    case 'bytes':
      return 'bytes';
    case 'unicode':
      return 'points';
    default:
      return TYPES[info.name] ?? null;
  }
}
