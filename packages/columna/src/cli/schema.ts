// columna schema: names, types, nulls.
import type { Command } from '@colkit/io/command';
import { open } from '../read/open.ts';
import { columnsOf } from './text-columns.ts';

export const schemaCommand: Command = {
  name: 'schema',
  summary: 'the columns: name, type, whether they may hold nulls',
  positionals: ['FILE'],
  options: { json: { kind: 'flag', help: 'as JSON' } },
  async run(given, terminal) {
    const table = await open(given.positional(0));
    try {
      const { schema } = table;
      if (given.flag('json')) terminal.json(schema, 2);
      else for (const line of columnsOf(schema.map(({ name, dtype, nullable }) => [name, dtype, nullable ? 'may be null' : '']), [false, false, false])) terminal.print(line);
    } finally {
      table.close();
    }
    return 0;
  },
};
