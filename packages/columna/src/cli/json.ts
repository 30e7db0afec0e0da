// Values of reports and rows -> JSON, which has no 64-bit integers, no NaN, no bytes and no times. One rule, told in the README.
import { toISO } from '@colkit/table';
import type { Field } from '@colkit/table';

/** Integers beyond ±2^53 as decimal text, NaN and infinities as text, bytes as hexadecimal text. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, (_, each: unknown) => jsonValue(each), indent);
}

function jsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return value;
}

/** A row in which times are ISO 8601 text, as one line. Names keep their order, whatever they are. */
export function rowJson(names: readonly string[], values: readonly unknown[], fields: ReadonlyMap<string, Field>): string {
  const cells = names.map((name, i) => {
    const value = values[i];
    const dtype = fields.get(name)?.dtype;
    const shown = typeof value === 'bigint' && dtype?.startsWith('datetime64') === true ? toISO(value, dtype) : value;
    return `${JSON.stringify(name)}:${toJson(shown)}`;
  });
  return `{${cells.join(',')}}`;
}
