// What anybody would write without a library: all columns read into typed arrays, then a loop. Best case for
// JavaScript: everything is in memory already.
import { statSync } from 'node:fs';
import { syncTask } from '../src/checkouts/peer.ts';
import type { Peer, SuiteContext, Workload } from '../src/checkouts/peer.ts';
import { COLUMN_DTYPES, COLUMN_NAMES, columnPath, metadataBytes, readColumns, readInputs } from '../suites/w1-data.ts';
import type { W1Columns } from '../suites/w1-data.ts';
import { prepareRawLoops } from '../suites/raw/loops.ts';
import { copyRows, takeFloat32, takeFloat64, takeInt32, takeInt64, takeUint8 } from '../suites/w1-loops.ts';

export const peer: Peer = {
  name: 'plain-js',
  load: () => Promise.resolve({ node: process.versions.node }),
  suites: {
    w1: { variants: ['loop'], prepare: (_variant, context) => prepareW1(context) },
    raw: { variants: ['loop'], prepare: (_variant, context) => prepareRawLoops(context) },
  },
};

function prepareW1(context: SuiteContext): Workload {
  const inputs = readInputs(context);
  const files = COLUMN_NAMES.map((name) => columnPath(context.directory, name));
  const price = new Float64Array(inputs.random.length);
  const qty = new Int32Array(inputs.random.length);
  let columns: W1Columns | undefined;
  const loaded = (): W1Columns => columns as W1Columns;
  const both = (rows: Int32Array): { price: Float64Array; qty: Int32Array } => ({
    price: takeFloat64(loaded().price, rows, new Float64Array(rows.length)),
    qty: takeInt32(loaded().qty, rows, new Int32Array(rows.length)),
  });
  const bothInto = (rows: Int32Array): { price: Float64Array; qty: Int32Array } => ({
    price: takeFloat64(loaded().price, rows, price),
    qty: takeInt32(loaded().qty, rows, qty),
  });
  const same = <T>(result: T): T => result;
  const { start, end } = inputs.slice;
  return {
    files,
    load: () => {
      columns = readColumns(context);
    },
    tasks: {
      'a-new': syncTask(() => both(inputs.random), same),
      'a-into': syncTask(() => bothInto(inputs.random), same),
      'b-new': syncTask(() => both(inputs.sorted), same),
      'b-into': syncTask(() => bothInto(inputs.sorted), same),
      'c-copy': syncTask(
        () => ({ price: loaded().price.slice(start, end), qty: loaded().qty.slice(start, end) }),
        same,
      ),
      'c-view': syncTask(
        () => ({ price: loaded().price.subarray(start, end), qty: loaded().qty.subarray(start, end) }),
        same,
      ),
      'd-copy': syncTask(() => ({ price: loaded().price.slice() }), same),
      'd-view': syncTask(() => ({ price: loaded().price.subarray() }), same),
      'e-small': syncTask((iteration) => {
        const rows = inputs.smallSets[iteration % inputs.smallSets.length] as Int32Array;
        const { ts, score, flag } = loaded();
        return {
          ...both(rows),
          ts: takeInt64(ts, rows, new BigInt64Array(rows.length)),
          score: takeFloat32(score, rows, new Float32Array(rows.length)),
          flag: takeUint8(flag, rows, new Uint8Array(rows.length)),
        };
      }, same),
      // No metadata here but the files' sizes; names and types are in the program.
      'f-open': syncTask(
        () => files.map((path) => statSync(path).size),
        ([bytes = 0]) => ({ metadata: metadataBytes(bytes / 8, COLUMN_NAMES, COLUMN_DTYPES) }),
      ),
      'g-mask': syncTask(() => copyRows(loaded().price, loaded().qty, inputs.mask), same),
    },
    close: () => {
      columns = undefined;
    },
  };
}
