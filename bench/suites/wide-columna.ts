// The wide table through this repository's columna.
import { join } from 'node:path';
import { open, openSync, read, readSync, write } from 'columna';
import { asyncTask, syncTask } from '../src/checkouts/peer.ts';
import type { Outputs, PeerSuite, SuiteContext } from '../src/checkouts/peer.ts';
import { wideTable } from './wide.ts';

export function wideColumna(): PeerSuite {
  return {
    variants: ['default', 'default-sync'],
    async build(context) {
      const { names, column, groupRows } = wideTable(context.parameters);
      await write(tablePath(context), new Map(names.map((name, number) => [name, column(number)])), {
        rowGroupSize: groupRows,
        overwrite: true,
      });
    },
    prepare(variant, context) {
      const path = tablePath(context);
      const table = wideTable(context.parameters);
      const columns = (iteration: number): string[] => table.pair(iteration).map((number) => table.names[number] ?? '');
      const rows = (found: number): Outputs => ({ rows: Int32Array.of(found) });
      const outputs = (found: object): Outputs =>
        Object.fromEntries(
          Object.values(found as Record<string, Int32Array>).map((values, i) => [`column ${String(i)}`, values]),
        );
      return {
        files: [path],
        load: () => undefined,
        tasks:
          variant === 'default-sync'
            ? {
                open: syncTask(() => {
                  using opened = openSync(path);
                  return opened.rowCount;
                }, rows),
                two: syncTask((i) => readSync(path, { columns: columns(i) }), outputs),
              }
            : {
                open: asyncTask(async () => {
                  await using opened = await open(path);
                  return opened.rowCount;
                }, rows),
                two: asyncTask((i) => read(path, { columns: columns(i) }), outputs),
              },
        close: () => undefined,
      };
    },
  };
}

function tablePath({ ownDirectory }: SuiteContext): string {
  return join(ownDirectory, 'wide.cna');
}
