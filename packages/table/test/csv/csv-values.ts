// What the tests of CSV share: a text -> its values and types.
import { readCsv } from '../../src/csv/index.ts';
import type { CsvOptions } from '../../src/csv/index.ts';
import { toInputColumns } from '../../src/index.ts';
import { readAll } from '../support/inputs.ts';

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export const values = async (text: string, options?: CsvOptions): Promise<Record<string, unknown[]>> =>
  readAll(toInputColumns(await readCsv(bytesOf(text), options)));

export const types = async (text: string, options?: CsvOptions): Promise<string[]> =>
  (await readCsv(bytesOf(text), options)).fields.map(({ dtype, nullable }) => `${dtype}${nullable ? '?' : ''}`);
