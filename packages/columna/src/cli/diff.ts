// columna diff: whether two files hold the same table, however they are encoded. Exit code 1 where they do not.
import { count, toJson } from '@colkit/io/command';
import type { Command } from '@colkit/io/command';
import { selected } from '../read/read.ts';
import { open } from '../read/open.ts';
import { compareTables } from './compare.ts';
import type { Comparison } from './compare.ts';
import { columnsOf } from './text-columns.ts';

const EXAMPLES = 10;

export const diffCommand: Command = {
  name: 'diff',
  summary: 'whether two files hold the same table, however they are encoded; exit code 1 where not',
  positionals: ['FIRST', 'SECOND'],
  options: {
    columns: { kind: 'names', value: 'A,B', help: 'only these columns' },
    limit: { kind: 'count', short: 'n', value: 'N', help: `how many differing cells are shown, default ${EXAMPLES}` },
    json: { kind: 'flag', help: 'as JSON' },
  },
  async run(given, terminal) {
    const columns = given.names('columns');
    const left = await open(given.positional(0));
    try {
      const right = await open(given.positional(1));
      try {
        const comparison = await compareTables(selected(left, columns), selected(right, columns), given.count('limit') ?? EXAMPLES, (rows) => terminal.progress(`${count(rows)} rows compared`));
        terminal.progress(null);
        if (given.flag('json')) terminal.json(comparison, 2);
        else for (const line of lines(comparison)) terminal.print(line);
        return comparison.same ? 0 : 1;
      } finally {
        right.close();
      }
    } finally {
      left.close();
    }
  },
};

function lines({ same, schema, rowCounts, differing, examples }: Comparison): string[] {
  if (same) return [`the same: ${count(rowCounts[0])} rows`];
  const found = [...schema];
  if (rowCounts[0] !== rowCounts[1]) found.push(`${count(rowCounts[0])} rows in the first, ${count(rowCounts[1])} in the second`);
  for (const { column, cells } of differing) found.push(`column ${JSON.stringify(column)}: ${count(cells)} ${cells === 1 ? 'cell differs' : 'cells differ'}`);
  if (examples.length === 0) return found;
  const rows = examples.map(({ row, column, left, right }) => [String(row), column, toJson(left), toJson(right)]);
  return [...found, ...columnsOf([['row', 'column', 'first', 'second'], ...rows], [true, false, false, false], '  ')];
}
