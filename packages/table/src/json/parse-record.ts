// The text of one record -> its members. Integers beyond 2^53 stay what was written.
import { parse as parseExactly, stringify } from 'lossless-json';

export type JsonScalar = boolean | number | bigint | string | null;
/** A list or an object, as text. */
export class NestedText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Members = readonly (readonly [name: string, value: JsonScalar | NestedText])[];

/** As many digits as an integer beyond 2^53 has. */
const LONG_NUMBER = /\d{16}/u;

/** As `JSON.parse` does, but for numbers: of a name that is there twice the last value. */
const EXACT = {
  parseNumber: numberOf,
  onDuplicateKey: ({ newValue }: { readonly newValue: unknown }): unknown => newValue,
};

/** @returns a sentence for what is no record. */
export function parseRecord(text: string): Members | string {
  let value: unknown;
  try {
    value = LONG_NUMBER.test(text) ? parseExactly(text, undefined, EXACT) : JSON.parse(text);
  } catch (error) {
    return `text that is no JSON (${error instanceof Error ? error.message : String(error)})`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return nameOf(value);
  return Object.entries(value).map(([name, each]) => [name, scalarOf(each)]);
}

function numberOf(text: string): number | bigint {
  const value = Number(text);
  return !Number.isSafeInteger(value) && /^-?\d+$/u.test(text) ? BigInt(text) : value;
}

function scalarOf(value: unknown): JsonScalar | NestedText {
  if (typeof value !== 'object' || value === null) return value as JsonScalar;
  return new NestedText(stringify(value) ?? '');
}

function nameOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
