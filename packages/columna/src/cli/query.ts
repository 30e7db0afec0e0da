// columna query: the rows that match, and what it took to find them; or only their number, or why row groups were skipped.
import type { Command, Given, Terminal } from '@colkit/io/command';
import { scan } from '../read/scan.ts';
import { open } from '../read/open.ts';
import { selected } from '../read/read.ts';
import { printRows } from './rows.ts';

const LIMIT = 20;

export const queryCommand: Command = {
  name: 'query',
  summary: 'the rows that match a predicate, and how little was read for them',
  positionals: ['FILE', 'PREDICATE'],
  optional: 1,
  options: {
    columns: { kind: 'names', value: 'A,B', help: 'which columns' },
    limit: { kind: 'count', short: 'n', value: 'N', help: `how many rows are printed, default ${LIMIT}; with --json all` },
    count: { kind: 'flag', help: 'only how many rows match' },
    stats: { kind: 'flag', help: 'only the figures of the scan' },
    explain: { kind: 'flag', help: 'what would be read and skipped, and why; reads metadata only' },
    json: { kind: 'flag', help: 'one JSON object a line; of --count and --stats one object' },
  },
  async run(given, terminal) {
    const path = given.positional(0);
    const where = given.positionals[1];
    const options = where === undefined ? {} : { where };
    const isJson = given.flag('json');
    if (given.flag('explain')) {
      const text = await scan(path, options).explain();
      const lines = text.split('\n');
      if (isJson) terminal.json(lines, 2);
      else for (const line of lines) terminal.print(line);
      return 0;
    }
    if (given.flag('count')) {
      const matched = await scan(path, options).count();
      if (isJson) terminal.json({ count: matched });
      else terminal.print(String(matched));
      return 0;
    }
    if (given.flag('stats')) {
      const columns = given.names('columns');
      const result = await scan(path, { ...options, ...(columns === undefined ? {} : { columns }) });
      if (isJson) terminal.json(result.stats);
      else terminal.print(result.summary());
      return 0;
    }
    return printMatches(path, where, given, terminal);
  },
};

/** Only as many matches as are printed are read. */
async function printMatches(path: string, where: string | undefined, given: Given, terminal: Terminal): Promise<number> {
  const isJson = given.flag('json');
  const limit = given.count('limit') ?? (isJson ? undefined : LIMIT);
  const table = await open(path);
  try {
    const matching = selected(where === undefined ? table : table.where(where), given.names('columns'));
    await printRows(limit === undefined ? matching : matching.head(limit), limit ?? 1, isJson, terminal);
  } finally {
    table.close();
  }
  if (!isJson && where !== undefined) terminal.print((await scan(path, { where, columns: [] })).summary());
  return 0;
}
