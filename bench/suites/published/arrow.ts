// The suite `published` for Apache Arrow JS: an IPC file that is read whole, and loops over its columns' arrays.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Arrow from 'apache-arrow';
import { syncTask } from '../../src/checkouts/peer.ts';
import type { Outputs, SuiteContext, Workload } from '../../src/checkouts/peer.ts';
import { takeFloat64 } from '../w1-loops.ts';
import { NAMES, readPublished, readPublishedInputs } from './data.ts';

export function buildPublishedArrow({ makeVector, Table, tableToIPC }: typeof Arrow, context: SuiteContext): void {
  const columns = readPublished(context);
  const table = new Table(Object.fromEntries(NAMES.map((name) => [name, makeVector(columns[name])])));
  writeFileSync(pathOf(context), tableToIPC(table, 'file'));
}

export function preparePublishedArrow({ tableFromIPC }: typeof Arrow, context: SuiteContext): Workload {
  const { ids, random } = readPublishedInputs(context);
  let table: Arrow.Table | undefined;
  const column = (name: string): Float64Array => table?.getChild(name)?.toArray() as Float64Array;
  const take = (rows: Int32Array): Outputs =>
    Object.fromEntries(
      NAMES.map((name) => {
        const out = new Float64Array(rows.length);
        takeFloat64(column(name), rows, out);
        return [name, out];
      }),
    );
  return {
    files: [pathOf(context)],
    load: () => {
      table = tableFromIPC(readFileSync(pathOf(context)));
    },
    tasks: {
      columns: syncTask(() => take(ids), same),
      records: syncTask(() => {
        const bytes = new Float64Array(NAMES.length * ids.length);
        for (const [number, name] of NAMES.entries()) {
          const values = column(name);
          for (let row = 0; row < ids.length; row += 1)
            bytes[NAMES.length * row + number] = values[ids[row] as number] as number;
        }
        return { bytes };
      }, same),
      random: syncTask(() => take(random), same),
    },
    close: () => {
      table = undefined;
    },
  };
}

function same(found: Outputs): Outputs {
  return found;
}

function pathOf({ ownDirectory }: SuiteContext): string {
  return join(ownDirectory, 'published.arrow');
}
