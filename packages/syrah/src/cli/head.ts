// syrah head: the first items.
import type { Command } from '@colkit/io/command';
import { open } from '../open.ts';
import { chosenKeys, printItem } from './show-items.ts';

const ITEMS = 5;

export const headCommand: Command = {
  name: 'head',
  summary: 'the first items, long arrays shortened',
  positionals: ['FILE'],
  options: {
    items: { kind: 'count', value: 'N', help: `how many, default ${String(ITEMS)}` },
    keys: { kind: 'text', value: 'A,B', help: 'which keys' },
    json: { kind: 'flag', help: 'one JSON object a line, arrays whole' },
  },
  async run(given, terminal) {
    const items = given.count('items') ?? ITEMS;
    using file = await open(given.positional(0));
    const options = { keys: chosenKeys(file, given.text('keys')), json: given.flag('json'), whole: false };
    for (let item = 0; item < Math.min(items, file.itemCount); item += 1) await printItem(file, item, options, terminal);
    return 0;
  },
};
