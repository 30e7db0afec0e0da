// syrah verify: everything that a file without checksums can be asked: structure, places of all arrays, text that is text, flags that are flags, arrays that do not overlap.
import { CorruptFileError } from '@colkit/io';
import { count } from '@colkit/io/command';
import type { Command, Terminal } from '@colkit/io/command';
import type { SyrahFile } from '../items/file.ts';
import { isText, itemBytesOf } from '../layout/dtype.ts';
import { open } from '../open.ts';

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'checks metadata, the place of every array, text and flags (the format has no checksums: a changed number shows nowhere)',
  positionals: ['FILE'],
  options: { json: { kind: 'flag', help: 'as JSON' } },
  async run(given, terminal) {
    const path = given.positional(0);
    const json = given.flag('json');
    try {
      const report = await verify(path, terminal);
      const { itemCount, keys, arrayBytes, unusedBytes } = report;
      if (json) terminal.json(report);
      else {
        const bytes = arrayBytes === null || unusedBytes === null
          ? '' : `, ${count(arrayBytes)} bytes of arrays, ${count(unusedBytes)} unused`;
        const unseen = 'changed numbers cannot be seen, the format has no checksums';
        terminal.print(`${path}: ok, ${count(itemCount)} items of ${count(keys)} keys${bytes}; ${unseen}`);
      }
      return 0;
    } catch (error) {
      if (!json || !(error instanceof CorruptFileError)) throw error;
      terminal.json({ path, ok: false, problems: [{ code: error.code, message: error.message }] });
      return 1;
    }
  },
};

interface Report {
  readonly path: string;
  readonly ok: true;
  readonly itemCount: number;
  readonly keys: number;
  /** Null where dtypes differ by item. */
  readonly arrayBytes: number | null;
  readonly unusedBytes: number | null;
}

async function verify(path: string, terminal: Terminal): Promise<Report> {
  using file = await open(path);
  let bytes = 0;
  for (const { name, dtype } of file.schema) {
    const width = dtype === null || isText(dtype) ? 1 : itemBytesOf(dtype);
    for (const length of file.lengths(name)) bytes += Number.isNaN(length) ? 0 : length * width;
  }
  const unused = file.dataBytes - bytes;
  const mixed = file.schema.some(({ dtype }) => dtype === null);
  // Before an item is read: a million that share one long text would be read for ever. Where dtypes differ by item, `bytes` is the least that there can be.
  if (unused < 0) {
    throw new CorruptFileError('ERR_METADATA', {
      path: file.path, region: 'metadata', byteOffset: 0, expected: `arrays that do not overlap, of at most ${String(file.dataBytes)} bytes`, found: `${String(bytes)} bytes`,
    });
  }
  await readChecked(file, terminal);
  return { path: file.path, ok: true, itemCount: file.itemCount, keys: file.keys.length, arrayBytes: mixed ? null : bytes, unusedBytes: mixed ? null : unused };
}

async function readChecked(file: SyrahFile, terminal: Terminal): Promise<void> {
  const flags = new Set(file.schema.filter(({ dtype }) => dtype === 'bool').map(({ name }) => name));
  const looked = file.schema.filter(({ name, dtype }) => dtype === null || isText(dtype) || flags.has(name)).map(({ name }) => name);
  if (looked.length === 0) return;
  for (let item = 0; item < file.itemCount; item += 1) {
    terminal.progress(`verified ${count(item)} of ${count(file.itemCount)} items`);
    for (const [key, value] of await file.getEntries(item)) {
      if (!flags.has(key) || !(value instanceof Uint8Array) || value.every((byte) => byte <= 1)) continue;
      throw new CorruptFileError('ERR_LAYOUT', { path: file.path, region: `item ${String(item)}`, column: key, byteOffset: 0, expected: 'bool as 0 or 1', found: 'another byte' });
    }
  }
}
