// syrah get: some items, by number (negative from the end) or by name.
import type { Command } from '@colkit/io/command';
import { open } from '../open.ts';
import { chosenKeys, printItem } from './show-items.ts';

export const getCommand: Command = {
  name: 'get',
  summary: 'some items, by number (negative from the end) or, in files that have them, by name; arrays whole',
  positionals: ['FILE', 'ITEM'],
  repeated: true,
  options: {
    keys: { kind: 'text', value: 'A,B', help: 'which keys' },
    json: { kind: 'flag', help: 'one JSON object a line' },
  },
  async run(given, terminal) {
    using file = await open(given.positional(0));
    const options = { keys: chosenKeys(file, given.text('keys')), json: given.flag('json'), whole: true };
    for (const word of given.positionals.slice(1)) {
      const named = file.itemNames?.includes(word) === true;
      await printItem(file, named || !/^-?\d+$/.test(word) ? word : Number(word), options, terminal);
    }
    return 0;
  },
};
