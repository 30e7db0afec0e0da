// The dtypes that a caller gives to columns of text.
import { ArgumentError, describeValue, isMap, parseDType } from '@colkit/io';
import type { DType, DTypeInfo } from '@colkit/io';

export type GivenTypes = Readonly<Record<string, DType>> | ReadonlyMap<string, DType>;

const TYPES = /^(?:bool|u?int(?:8|16|32|64)|float(?:32|64)|datetime64\[(?:D|s|ms|us|ns)\]|string|[SU]\d+)$/u;
const SAID = 'bool, an integer, float32, float64, datetime64 of D, s, ms, us or ns, string, S<n> or U<n>';

/** @param also dtypes beside those of all text formats. @throws ArgumentError; UnsupportedError ERR_DTYPE. */
export function givenTypes(types: GivenTypes, also: readonly DType[] = []): ReadonlyMap<string, DTypeInfo> {
  const given: readonly (readonly [string, unknown])[] = isMap(types)
    ? [...(types as ReadonlyMap<string, unknown>)]
    : Object.entries(types);
  return new Map(
    given.map(([name, dtype]) => {
      if (typeof dtype !== 'string' || !(TYPES.test(dtype) || also.includes(dtype as DType)))
        throw new ArgumentError(
          'ERR_ARGUMENT',
          `types[${JSON.stringify(name)}]`,
          [SAID, ...also].join(', '),
          describeValue(dtype),
        );
      return [name, parseDType(dtype)];
    }),
  );
}
