// Data and a path -> the file, opened.
import { checkOptions, pickOptions } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { OPEN_OPTIONS } from './open-options.ts';
import { openTable, openTableSync } from './open-table.ts';
import type { OpenOptions } from './open-options.ts';
import type { OpenedTable } from './opened-table.ts';
import { WRITE_OPTIONS, write, writeSync } from './write/write.ts';
import type { WriteInput, WriteOptions } from './write/write.ts';

/** How to write, and how to open what was written. */
export interface CreateOptions extends WriteOptions, OpenOptions {}

const CREATE_OPTIONS: OptionSet<CreateOptions> = { ...WRITE_OPTIONS, ...OPEN_OPTIONS };

/** @throws as `write` and `open`. */
export async function createTable(
  data: WriteInput,
  path: string | URL,
  options: CreateOptions = {},
): Promise<OpenedTable> {
  checkOptions('ColStore.from', CREATE_OPTIONS, options);
  const opening = pickOptions(OPEN_OPTIONS, options);
  await write(path, data, pickOptions(WRITE_OPTIONS, options));
  return openTable(path, opening);
}

export function createTableSync(data: WriteInput, path: string | URL, options: CreateOptions = {}): OpenedTable {
  checkOptions('ColStore.from', CREATE_OPTIONS, options);
  writeSync(path, data, pickOptions(WRITE_OPTIONS, options));
  return openTableSync(path, pickOptions(OPEN_OPTIONS, options));
}
