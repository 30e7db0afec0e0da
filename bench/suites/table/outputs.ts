// What libraries give back, each in its own form -> the raw form, so that results can be compared: integers and floats
// as they are, moments as milliseconds, texts as codes.
import type { Outputs } from '../../src/checkouts/peer.ts';
import { NULL_CODE } from './files.ts';
import type { TableInputs } from './files.ts';
import { columnOf } from './question.ts';

/** Texts as codes into distinct values; a code that has no value (-1) is null. */
export interface Coded {
  readonly codes: ArrayLike<number>;
  readonly dictionary: readonly string[];
}

/** A typed array, an array of values, or codes. */
export type Found = ArrayLike<unknown> | Coded;

/** How many of a moment's ticks are a millisecond, where a library gives moments as integers. */
export type TicksPerMs = 1 | 1000;

/** Columns by name. @throws Error for a column or value that the table does not have. */
export function tableOutputs(
  inputs: TableInputs,
  found: Readonly<Record<string, Found>>,
  ticksPerMs: TicksPerMs = 1,
): Outputs {
  return Object.fromEntries(
    Object.entries(found).map(([name, values]) => [name, columnOutput(inputs, name, values, ticksPerMs)]),
  );
}

function columnOutput(inputs: TableInputs, name: string, found: Found, ticksPerMs: TicksPerMs): ArrayBufferView {
  switch (columnOf(inputs.question, name).dtype) {
    case 'int64':
      return BigInt64Array.from(values(found), (value) => BigInt(value as number | bigint));
    case 'datetime64[ms]':
      return BigInt64Array.from(values(found), (value) => milliseconds(value, ticksPerMs));
    case 'float64':
      return Float64Array.from(values(found) as ArrayLike<number>);
    case 'int32':
      return Int32Array.from(values(found), Number);
    case 'int16':
      return Int16Array.from(values(found), Number);
    case 'string':
      return codesOf(found, inputs.dictionaries.get(name) ?? []);
  }
}

/** Sums by text, as whole numbers in the order of the texts. */
export function groupOutputs(
  { question: { group }, dictionaries }: TableInputs,
  sums: ReadonlyMap<string, number>,
): Outputs {
  return {
    sums: Float64Array.from(dictionaries.get(group.by) ?? [], (text) =>
      Math.round((sums.get(text) ?? Number.NaN) * group.scale),
    ),
  };
}

/** Sums by text and part of moments, in the order of both. */
export function partOutputs(texts: ArrayLike<unknown>, parts: ArrayLike<unknown>, sums: ArrayLike<unknown>): Outputs {
  const rows = Array.from(texts, (text, i) => [`${String(text)} ${String(parts[i])}`, Number(sums[i])] as const);
  rows.sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    keys: new TextEncoder().encode(rows.map(([key]) => key).join()),
    sums: Float64Array.from(rows, ([, sum]) => sum),
  };
}

/** The sum of `values` for each text; what everybody who has the columns in memory would write. */
export function sumsByCode(values: ArrayLike<number>, { codes, dictionary }: Coded): Map<string, number> {
  const sums = new Float64Array(dictionary.length);
  for (let i = 0; i < values.length; i++) (sums[codes[i] as number] as number) += values[i] as number;
  return new Map(dictionary.map((text, code) => [text, sums[code] as number]));
}

export function sumsByText(values: ArrayLike<number>, texts: ArrayLike<unknown>): Map<string, number> {
  const sums = new Map<string, number>();
  for (let i = 0; i < values.length; i++)
    sums.set(texts[i] as string, (sums.get(texts[i] as string) ?? 0) + (values[i] as number));
  return sums;
}

/** Adds values in their order, so that everybody's sum has the same last bit. */
export function sumOnto(sum: number, values: ArrayLike<number>): number {
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  return sum;
}

export function streamOutputs(sum: number): Outputs {
  return { sum: Float64Array.of(sum) };
}

/** A number of rows, or a sum of whole numbers. */
export function countOutputs(count: number | bigint): Outputs {
  return { count: Float64Array.of(Number(count)) };
}

/** What opening tells of a table: its rows and the names of its columns. */
export function openOutputs(rowCount: number, names: readonly string[]): Outputs {
  return { metadata: new TextEncoder().encode(JSON.stringify([rowCount, names])) };
}

function values(found: Found): ArrayLike<unknown> {
  if ('codes' in found) throw new Error('codes where values were expected');
  return found;
}

function milliseconds(value: unknown, ticksPerMs: TicksPerMs): bigint {
  if (value instanceof Date) return BigInt(value.getTime());
  return BigInt(value as number | bigint) / BigInt(ticksPerMs);
}

function codesOf(found: Found, dictionary: readonly string[]): Uint16Array {
  const codeOf = new Map(dictionary.map((text, code) => [text, code]));
  const lookUp = (text: unknown): number => {
    if (text === null || text === undefined) return NULL_CODE;
    const code = codeOf.get(text as string);
    if (code === undefined) throw new Error(`${JSON.stringify(text)} is none of the column's texts`);
    return code;
  };
  if (!('codes' in found)) return Uint16Array.from(found, lookUp);
  const translated = found.dictionary.map(lookUp);
  return Uint16Array.from(found.codes, (code) => translated[code] ?? NULL_CODE);
}
