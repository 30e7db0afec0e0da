// syrah verify: everything that a file without checksums can be asked: structure, places of all arrays, text that is text, flags that are flags, arrays that do not overlap.
import { CorruptFileError } from '@colkit/io';
import { count, toJson } from '@colkit/io/command';
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
    using file = await open(given.positional(0));
    let bytes = 0;
    for (const { name, dtype } of file.schema) {
      const width = dtype === null || isText(dtype) ? 1 : itemBytesOf(dtype);
      for (const length of file.lengths(name)) bytes += Number.isNaN(length) ? 0 : length * width;
    }
    await readChecked(file, terminal);
    const unused = file.dataBytes - bytes;
    const mixed = file.schema.some(({ dtype }) => dtype === null);
    if (!mixed && unused < 0) {
      throw new CorruptFileError('ERR_METADATA', {
        path: file.path, region: 'metadata', byteOffset: 0, expected: `arrays that do not overlap, of at most ${String(file.dataBytes)} bytes`, found: `${String(bytes)} bytes`,
      });
    }
    const { itemCount, keys } = file;
    if (given.flag('json')) terminal.print(toJson({ path: file.path, ok: true, itemCount, keys: keys.length, arrayBytes: mixed ? null : bytes, unusedBytes: mixed ? null : unused }));
    else terminal.print(`${file.path}: ok, ${count(itemCount)} items of ${count(keys.length)} keys${mixed ? '' : `, ${count(bytes)} bytes of arrays, ${count(unused)} unused`}; changed numbers cannot be seen, the format has no checksums`);
    return 0;
  },
};

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
