// The text of one record -> its members. Integers beyond 2^53, and lists and objects that are kept as text, stay what
// was written: `JSON.parse` checks the text, and they are cut out of it.
import { compact, memberTexts } from './member-texts.ts';

export type JsonScalar = boolean | number | bigint | string | null;
/** What stands for a list or an object, whose text can be asked for; undefined: nothing does. */
export type OfNested = (value: object, textOf: () => string) => JsonScalar | undefined;

export interface Members {
  /** For each name its value; a list or object that nothing stands for ends them. */
  readonly names: readonly string[];
  readonly values: readonly JsonScalar[];
  /** A list or an object that nothing stands for: its name, and which of both; null: there is none. */
  readonly refused: readonly [name: string, kind: 'a list' | 'an object'] | null;
}

/** For the choices of `JsonInputOptions.nested`. */
export const NESTED: Readonly<Record<'refuse' | 'single' | 'text', OfNested>> = {
  refuse: () => undefined,
  single: (value, textOf) => {
    const [only] = Array.isArray(value) && value.length === 1 ? (value as readonly unknown[]) : [undefined];
    if (typeof only === 'object' && only !== null) return undefined;
    return exactly(only as JsonScalar | undefined, () => textOf().slice(1, -1).trim());
  },
  text: (_value, textOf) => compact(textOf()),
};

/** @param isRead which names are. @returns a sentence for what is no record. */
export function parseRecord(text: string, ofNested: OfNested, isRead: (name: string) => boolean): Members | string {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch (error) {
    // Of runtimes whose parser calls itself for every level.
    if (error instanceof RangeError) return 'lists and objects that are nested too deep';
    return `text that is no JSON (${error instanceof Error ? error.message : String(error)})`;
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return nameOf(record);
  let texts: ReadonlyMap<string, string> | null = null;
  const read = (): ReadonlyMap<string, string> => (texts ??= memberTexts(text));
  const fields = record as Readonly<Record<string, unknown>>;
  const all = Object.keys(fields);
  // Names such as "10" come first in an object, wherever they were written.
  const written = beginsWithDigit(all[0]) ? [...read().keys()] : all;
  const names = written.every(isRead) ? written : written.filter(isRead);
  const values = new Array<JsonScalar>(names.length);
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] as string;
    const value = fields[name];
    const textOf = (): string => read().get(name) ?? '';
    const scalar =
      typeof value === 'object' && value !== null ? ofNested(value, textOf) : exactly(value as JsonScalar, textOf);
    if (scalar === undefined) return { names, values, refused: [name, Array.isArray(value) ? 'a list' : 'an object'] };
    values[index] = scalar;
  }
  return { names, values, refused: null };
}

function beginsWithDigit(name: string | undefined): boolean {
  const unit = name?.charCodeAt(0) ?? 0;
  return unit >= 0x30 && unit <= 0x39;
}

/** An integer that a double may have rounded as it was written; else the value. */
function exactly<T>(value: T, textOf: () => string): T | bigint {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || Math.abs(value) < 2 ** 53) return value;
  const text = textOf();
  return /^-?\d+$/u.test(text) ? BigInt(text) : value;
}

function nameOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
