// The text of one record -> its members. Integers beyond 2^53 stay what was written.
import { parse as parseExactly, stringify } from 'lossless-json';

export type JsonScalar = boolean | number | bigint | string | null;
/** What stands for a list or an object; undefined: nothing does. */
export type OfNested = (value: object) => JsonScalar | undefined;

export interface Members {
  readonly values: readonly (readonly [name: string, value: JsonScalar])[];
  /** A list or an object that nothing stands for: its name, and which of both; null: there is none. */
  readonly refused: readonly [name: string, kind: 'a list' | 'an object'] | null;
}

/** For the choices of `JsonInputOptions.nested`. */
export const NESTED: Readonly<Record<'refuse' | 'single' | 'text', OfNested>> = {
  refuse: () => undefined,
  single: (value) => {
    const [only] = Array.isArray(value) && value.length === 1 ? (value as readonly unknown[]) : [undefined];
    return typeof only === 'object' && only !== null ? undefined : (only as JsonScalar | undefined);
  },
  text: (value) => stringify(value) ?? '',
};

/** As many digits as an integer beyond 2^53 has. */
const LONG_NUMBER = /\d{16}/u;

/** As `JSON.parse` does, but for numbers: of a name that is there twice the last value. */
const EXACT = {
  parseNumber: numberOf,
  onDuplicateKey: ({ newValue }: { readonly newValue: unknown }): unknown => newValue,
};

/** @param isRead which names are. @returns a sentence for what is no record. */
export function parseRecord(text: string, ofNested: OfNested, isRead: (name: string) => boolean): Members | string {
  let record: unknown;
  try {
    record = LONG_NUMBER.test(text) ? parseExactly(text, undefined, EXACT) : JSON.parse(text);
  } catch (error) {
    return `text that is no JSON (${error instanceof Error ? error.message : String(error)})`;
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return nameOf(record);
  const values: (readonly [string, JsonScalar])[] = [];
  for (const [name, value] of Object.entries(record as Readonly<Record<string, unknown>>)) {
    if (!isRead(name)) continue;
    const scalar = typeof value === 'object' && value !== null ? ofNested(value) : (value as JsonScalar);
    if (scalar === undefined) return { values, refused: [name, Array.isArray(value) ? 'a list' : 'an object'] };
    values.push([name, scalar]);
  }
  return { values, refused: null };
}

function numberOf(text: string): number | bigint {
  const value = Number(text);
  return !Number.isSafeInteger(value) && /^-?\d+$/u.test(text) ? BigInt(text) : value;
}

function nameOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
