// columna head: the first rows.
import type { Command } from '@colkit/io/command';
import { selected } from '../read/read.ts';
import { open } from '../read/open.ts';
import { printRows } from './rows.ts';

const ROWS = 10;

export const headCommand: Command = {
  name: 'head',
  summary: 'the first rows',
  positionals: ['FILE'],
  options: {
    rows: { kind: 'count', short: 'n', value: 'N', help: `how many, default ${ROWS}` },
    columns: { kind: 'names', value: 'A,B', help: 'which columns' },
    json: { kind: 'flag', help: 'one JSON object a line' },
  },
  async run(given, terminal) {
    const rows = given.count('rows') ?? ROWS;
    const table = await open(given.positional(0));
    try {
      await printRows(selected(table, given.names('columns')).head(rows), rows, given.flag('json'), terminal);
    } finally {
      table.close();
    }
    return 0;
  },
};
