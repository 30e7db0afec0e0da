// syrah info: what is in a file, without reading an array.
import { visibleText } from '@colkit/io';
import { count } from '@colkit/io/command';
import type { Command } from '@colkit/io/command';
import type { SyrahFile } from '../items/file.ts';
import type { FilePart } from '../items/part-files.ts';
import { isText } from '../layout/dtype.ts';
import { open } from '../open.ts';

export const infoCommand: Command = {
  name: 'info',
  summary: 'form, number of items, keys, dtypes and lengths; reads metadata only',
  positionals: ['FILE'],
  options: { json: { kind: 'flag', help: 'as JSON' } },
  async run(given, terminal) {
    using file = await open(given.positional(0));
    const keys = file.schema.map(({ name, dtype }) => ({ name, dtype, ...lengthsOf(file, name) }));
    const { path, form, version, itemCount, byteLength, part } = file;
    if (given.flag('json')) {
      terminal.json({ path, byteLength, form, version, itemCount, part, named: file.itemNames !== null, keys });
      return 0;
    }
    terminal.print(`${path}: ${count(byteLength)} bytes, ${count(itemCount)} items, form ${form} (version ${version})${file.itemNames === null ? '' : ', items have names'}`);
    if (part !== null) terminal.print(`  ${describePart(part)}`);
    const width = keys.reduce((widest, { name }) => Math.max(widest, visibleText(name).length), 0);
    for (const { name, dtype, shortest, longest, missing } of keys) {
      const unit = dtype !== null && isText(dtype) ? ' bytes' : '';
      const lengths = shortest === null ? 'in no item' : shortest === longest ? `${count(shortest)}${unit}` : `${count(shortest)} to ${count(longest ?? 0)}${unit}`;
      terminal.print(`  ${visibleText(name).padEnd(width)}  ${(dtype ?? 'differs').padEnd(8)}  ${lengths}${missing === 0 ? '' : `, missing in ${count(missing)} items`}`);
    }
    return 0;
  },
};

function describePart({ number, count: parts, problem }: FilePart): string {
  if (problem !== null) return `part 1 of a set that is not whole: ${problem}`;
  return `part ${count(number + 1)} of ${parts === null ? 'a set; its first part tells of how many' : count(parts)}`;
}

function lengthsOf(file: SyrahFile, key: string): { shortest: number | null; longest: number | null; missing: number } {
  let [shortest, longest, missing] = [Infinity, -Infinity, 0];
  for (const length of file.lengths(key)) {
    if (Number.isNaN(length)) missing += 1;
    else [shortest, longest] = [Math.min(shortest, length), Math.max(longest, length)];
  }
  return shortest === Infinity ? { shortest: null, longest: null, missing } : { shortest, longest, missing };
}
