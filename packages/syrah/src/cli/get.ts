// syrah get: some items, by number (negative from the end) or by name.
import { open } from '../open.ts';
import type { Command } from './arguments.ts';
import { chosenKeys, printItem } from './show-items.ts';

export const getCommand: Command = {
  name: 'get',
  summary: 'some items, by number (negative from the end) or, in files that have them, by name; arrays whole',
  positionals: ['FILE', 'ITEM'],
  repeated: true,
  options: {
    keys: { type: 'string', value: 'A,B', help: 'which keys' },
    json: { type: 'boolean', help: 'one JSON object a line' },
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
