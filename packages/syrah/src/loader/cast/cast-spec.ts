// What the arrays of which keys are cast to, as callers say it.
import { ArgumentError, describeValue } from '@colkit/io';
import { NUMBER_DTYPES } from '../../layout/dtype.ts';
import { checkNames } from '../collate/value-names.ts';
import type { ByName, ValueNames } from '../collate/value-names.ts';

const CAST_DTYPES = [...NUMBER_DTYPES, 'float16-bits'] as const;

/** What a key's arrays can be cast to; 'float16-bits': float16 as a Uint16Array of its bits. */
export type CastDType = (typeof CAST_DTYPES)[number];
/** By key; of the keys that are known, where they are. */
export type CastSpec<Key extends string = string> = string extends Key
  ? Readonly<Record<string, CastDType>>
  : { readonly [Name in Key]?: CastDType };

/** Refuses a cast of another key beside known ones, too, which an object with options may have for the compiler. */
export type CastOnly<O, Key extends string> = O extends { readonly cast: infer C }
  ? { readonly cast: { readonly [Name in keyof C]: `${Name & (string | number)}` extends Key ? C[Name] : never } }
  : unknown;

/** @throws ArgumentError for a dtype that nothing is cast to; for a name that no value has, where `known` tells. */
export function parseCast(cast: CastSpec, known: ValueNames | null): CastSpec | null {
  for (const [key, dtype] of Object.entries(cast)) {
    if (!(CAST_DTYPES as readonly unknown[]).includes(dtype))
      throw new ArgumentError(
        'ERR_ARGUMENT',
        `cast of ${JSON.stringify(key)}`,
        CAST_DTYPES.map((name) => JSON.stringify(name)).join(', '),
        describeValue(dtype),
      );
  }
  checkNames(castNames(cast), known);
  return Object.keys(cast).length === 0 ? null : { ...cast };
}

/** What a cast speaks of. */
export function castNames(cast: CastSpec): ByName {
  return { option: 'cast', what: 'dtypes', names: Object.keys(cast) };
}

/** What a key is cast to; null for most. */
export function castOf(cast: CastSpec | null, key: string | null): CastDType | null {
  return cast !== null && key !== null && Object.hasOwn(cast, key) ? (cast[key] ?? null) : null;
}
