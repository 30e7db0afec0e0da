// What the arrays of which keys are cast to, as callers say it.
import { ArgumentError, describeValue } from '@colkit/io';
import { NUMBER_DTYPES } from '../../layout/dtype.ts';

const CAST_DTYPES = [...NUMBER_DTYPES, 'float16-bits'] as const;

/** What a key's arrays can be cast to; 'float16-bits': float16 as a Uint16Array of its bits. */
export type CastDType = (typeof CAST_DTYPES)[number];
/** By key. */
export type CastSpec = Readonly<Record<string, CastDType>>;

/** @throws ArgumentError for a dtype that nothing is cast to; for a key that no sample has, where `keys` are known. */
export function parseCast(cast: CastSpec, keys: readonly string[]): CastSpec | null {
  for (const [key, dtype] of Object.entries(cast)) {
    if (!(CAST_DTYPES as readonly unknown[]).includes(dtype))
      throw new ArgumentError(
        'ERR_ARGUMENT',
        `cast of ${JSON.stringify(key)}`,
        CAST_DTYPES.map((name) => JSON.stringify(name)).join(', '),
        describeValue(dtype),
      );
    if (keys.length > 0 && !keys.includes(key))
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'cast',
        `dtypes of the keys ${keys.map((name) => JSON.stringify(name)).join(', ')}`,
        JSON.stringify(key),
      );
  }
  return Object.keys(cast).length === 0 ? null : { ...cast };
}

/** What a key is cast to; null for most. */
export function castOf(cast: CastSpec | null, key: string | null): CastDType | null {
  return cast !== null && key !== null && Object.hasOwn(cast, key) ? (cast[key] ?? null) : null;
}
