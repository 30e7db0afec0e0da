// append: rows of tables -> the end of a .cstore or .cna file; all of them, or none.
import type { Table } from '@colkit/table';
import { update } from 'colstore';
import { append as appendColumna } from 'columna';
import { ENDINGS, opened } from '../formats/opened.ts';
import { identify } from '../formats/identify.ts';
import { counted } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { AS_JSON, UsageError, flag } from '../terminal/verb.ts';
import type { JsonOption, Verb } from '../terminal/verb.ts';

interface AppendOptions extends JsonOption {
  readonly statistics?: true;
}

export const append: Verb<AppendOptions> = {
  name: 'append',
  summary: 'add the rows of other .cstore or .cna files to a file; to a .cstore all or none, each as a record',
  arguments: ['<FILE>', '<FROM...>'],
  options: [
    flag(
      '--statistics',
      'keep smallest and largest values of each record, by which queries pass over records (.cstore)',
    ),
    AS_JSON,
  ],
  examples: ['colkit append log.cstore today.cstore', 'colkit append orders.cna monday.cna tuesday.cstore'],
  async run([path = '', ...sources], { json, statistics }, terminal) {
    const format = await identify(path);
    if (format === 'syrah') throw new UsageError(`append: only for tables, and this is a ${ENDINGS[format]} file`);
    if (format === 'columna' && statistics === true) throw new UsageError('--statistics: a .cna file always has them');
    const rows =
      format === 'colstore'
        ? await toColstore(path, sources, statistics, terminal)
        : await toColumna(path, sources, terminal);
    terminal.progress(null);
    if (json === true) terminal.json({ path, format, ...rows }, 2);
    else terminal.print(`${path}: ${counted(rows.appended, 'row')} appended, ${counted(rows.rowCount, 'row')} in all`);
    return 0;
  },
};

interface Rows {
  readonly appended: number;
  readonly rowCount: number;
}

async function toColstore(
  path: string,
  sources: readonly string[],
  statistics: true | undefined,
  terminal: Terminal,
): Promise<Rows> {
  const writer = await update(path, statistics === undefined ? {} : { statistics });
  const before = writer.rowCount;
  try {
    for (const source of sources) await withTable(source, terminal, (table) => writer.write(table));
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  return { appended: writer.rowCount - before, rowCount: writer.rowCount };
}

async function toColumna(path: string, sources: readonly string[], terminal: Terminal): Promise<Rows> {
  let appended = 0;
  let rowCount = 0;
  for (const source of sources)
    await withTable(source, terminal, async (table) => {
      const report = await appendColumna(path, table);
      appended += table.rowCount;
      ({ rowCount } = report);
    });
  return { appended, rowCount };
}

function withTable(path: string, terminal: Terminal, use: (table: Table) => Promise<unknown>): Promise<unknown> {
  terminal.progress(`appending ${path}`);
  return opened(path, (file) => {
    if (file.kind === 'items') throw new UsageError(`${path}: expected a table but found a .syr file`);
    return use(file.table);
  });
}
