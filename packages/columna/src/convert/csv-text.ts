// Values -> the fields of a CSV line, so that reading them gives the values back: a null is an empty field, an empty text is "", times are ISO 8601.
import { UnsupportedError } from '@colkit/io';
import type { DType } from '@colkit/io';
import { NAT, toISO } from '@colkit/table';

export interface CsvDialect {
  readonly delimiter: string;
  /** What a null is. */
  readonly nullText: string;
}

export type CsvValue = number | bigint | string | boolean;

/** @throws UnsupportedError ERR_DTYPE for binary columns. */
export function fieldWriter(name: string, dtype: DType, { delimiter, nullText }: CsvDialect): (value: CsvValue) => string {
  switch (dtype) {
    case 'string': return (value) => quoted(value as string, delimiter, nullText);
    case 'bool': return (value) => (value === true || value === 1 ? 'true' : 'false');
    case 'float32': return (value) => floatText(shortFloat32(value as number));
    case 'float64': return (value) => floatText(value as number);
    case 'binary': throw new UnsupportedError('ERR_DTYPE', dtype, `column ${JSON.stringify(name)}: CSV has no form for bytes; leave the column out with { columns }`);
    default:
      if (dtype.startsWith('datetime64')) return (value) => (value === NAT ? 'NaT' : toISO(value as bigint, dtype));
      return String;
  }
}

/** A name or text: quoted where it would be read as something else. */
export function quoted(text: string, delimiter: string, nullText: string): string {
  const isPlain = text !== '' && text !== nullText && !text.includes(delimiter) && !/["\r\n]|^\s|\s$/.test(text);
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}

function floatText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** The shortest decimal that rounds to the same single-precision number. */
function shortFloat32(value: number): number {
  for (let digits = 1; digits < 9 && Number.isFinite(value); digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value && !Object.is(short, -value)) return short;
  }
  return value;
}
