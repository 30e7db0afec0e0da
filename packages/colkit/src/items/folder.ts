// A folder of files as items. Any files: one item each, in the order of their paths, { name: path within the folder,
// bytes: uint8[] }. Nothing but .json files: one object each. Back again: items of { name, bytes } become those files,
// others NUMBER.json.
import { ArgumentError, IoError, openFileSink } from '@colkit/io';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Target } from '../terminal/output.ts';
import type { SyrahFile } from 'syrah';
import type { KeySpec } from 'syrah';
import { SchemaInference } from './infer-schema.ts';
import type { ItemReader, ItemSink } from './item-exchange.ts';
import { entriesOf, itemText, jsonDTypes, membersOf } from './json.ts';
import { readBytes, readText, unreadable } from './read-text.ts';

const FILE_SCHEMA: readonly KeySpec[] = [
  { name: 'name', dtype: 'str' },
  { name: 'bytes', dtype: 'uint8' },
];
const NUMBER_DIGITS = 8;

/* eslint-disable-next-line @typescript-eslint/require-await -- one signature for all readers */
export async function openFolder(path: string, schema: readonly KeySpec[] | null): Promise<ItemReader> {
  const names = entriesIn(path)
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort((a, b) => (a < b ? -1 : 1));
  if (names.length > 0 && names.every((name) => name.endsWith('.json'))) return jsonFiles(path, names, schema);
  if (schema !== null)
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'schema',
      'none for a folder of files, whose items are { name: str, bytes: uint8 }',
      'one',
    );
  return {
    schema: FILE_SCHEMA,
    itemCount: names.length,
    async *items() {
      for (const name of names)
        yield await Promise.resolve([
          ['name', name],
          ['bytes', readBytes(join(path, name))],
        ] as const);
    },
  };
}

function entriesIn(path: string): Dirent[] {
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true });
  } catch (error) {
    throw unreadable(path, error);
  }
}

function jsonFiles(folder: string, names: readonly string[], schema: readonly KeySpec[] | null): ItemReader {
  const read = (name: string): Map<string, unknown> => membersOf(readText(join(folder, name)), join(folder, name));
  const inference = new SchemaInference();
  if (schema === null) for (const name of names) inference.observe(read(name), join(folder, name));
  const keys = schema ?? inference.schema();
  return {
    schema: keys,
    itemCount: names.length,
    async *items() {
      for (const name of names) yield await Promise.resolve(entriesOf(read(name), keys, join(folder, name)));
    },
  };
}

/* eslint-disable-next-line @typescript-eslint/require-await -- one signature for all sinks */
export async function openFolderSink({ path, overwrite }: Target, file: SyrahFile): Promise<ItemSink> {
  if (existsSync(path) && readdirSync(path).length > 0 && !overwrite)
    throw new IoError('ERR_EXISTS', 'create', path, 'the folder is not empty; pass --overwrite to write into it');
  makeFolder(path);
  const asFiles =
    file.schema.length === 2 &&
    FILE_SCHEMA.every(({ name, dtype }) => file.schema.some((field) => field.name === name && field.dtype === dtype));
  const dtypeOf = jsonDTypes(file);
  const write = async (name: string, bytes: Uint8Array): Promise<void> => {
    const target = join(path, name);
    makeFolder(dirname(target));
    const sink = await openFileSink(target, { overwrite, durability: 'none' });
    await sink.write(bytes);
    await sink.finish();
  };
  return {
    async put(entries, item) {
      if (!asFiles) {
        await write(
          `${String(item).padStart(NUMBER_DIGITS, '0')}.json`,
          new TextEncoder().encode(itemText(entries, dtypeOf)),
        );
        return;
      }
      const values = new Map(entries);
      await write(checkName(values.get('name') as string, item), values.get('bytes') as Uint8Array);
    },
    finish: () => Promise.resolve(),
    abort: () => Promise.resolve(),
  };
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new IoError('ERR_WRITE', 'create', path, error instanceof Error ? error.message : String(error), error);
  }
}

/**
 * A name from a file may be anything: only one that stays within the folder is written.
 * @throws ArgumentError ERR_VALUE.
 */
function checkName(name: string, item: number): string {
  const parts = name.split(/[/\\]/);
  if (
    name !== '' &&
    !name.includes('\0') &&
    !/^[a-z]:/i.test(name) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  )
    return name;
  throw new ArgumentError(
    'ERR_VALUE',
    `name of item ${String(item)}`,
    'a path within the folder',
    JSON.stringify(name),
  );
}
