// A column of a table as the addon looks at it, where it can: what its stored items are.
import { RAW_LIMITS, dtypeFacts } from '@colkit/io';
import type { DTypeInfo, RawColumn, RawType } from '@colkit/io';

/** Null for what the addon does not look at: float128, and what is very wide. */
export function rawColumn(number: number, info: DTypeInfo, isSwapped: boolean): RawColumn | null {
  const { raw } = dtypeFacts(info);
  const type = raw === 'own' ? (info.name as RawType) : raw;
  return type === null || info.itemBytes > RAW_LIMITS.itemBytes ? null : { number, type, isSwapped };
}
