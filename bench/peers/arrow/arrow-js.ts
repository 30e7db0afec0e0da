// Apache Arrow JS over an IPC file: it reads the whole file, then gives vectors. `toArray` takes a column's typed array
// and loops over it; `get` asks value by value.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Arrow from 'apache-arrow';
import { versionOf } from '../../src/checkouts/package-version.ts';
import { syncTask } from '../../src/checkouts/peer.ts';
import type { Peer, SuiteContext, Workload } from '../../src/checkouts/peer.ts';
import { buildPublishedArrow, preparePublishedArrow } from '../../suites/published/arrow.ts';
import { COLUMN_NAMES, metadataBytes, readColumns, readInputs } from '../../suites/w1-data.ts';
import type { W1Columns } from '../../suites/w1-data.ts';
import { copyRows, takeFloat32, takeFloat64, takeInt32, takeInt64, takeUint8 } from '../../suites/w1-loops.ts';

type Library = typeof Arrow;
/** Arrow's type names -> numpy's. */
const DTYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ Float64: 'float64', Float32: 'float32', Int64: 'int64', Int32: 'int32', Uint8: 'uint8' }),
);

export const peer: Peer = {
  name: 'arrow-js',
  load: async () => {
    await import('apache-arrow');
    return { 'apache-arrow': versionOf('apache-arrow') };
  },
  suites: {
    published: {
      variants: ['toArray'],
      build: async (context) => buildPublishedArrow(await import('apache-arrow'), context),
      prepare: async (_variant, context) => preparePublishedArrow(await import('apache-arrow'), context),
    },
    w1: {
      variants: ['toArray', 'get'],
      async build(context) {
        const { makeVector, Table, tableToIPC } = await import('apache-arrow');
        const columns = readColumns(context);
        const table = new Table(Object.fromEntries(COLUMN_NAMES.map((name) => [name, makeVector(columns[name])])));
        writeFileSync(tablePath(context), tableToIPC(table, 'file'));
      },
      prepare: async (variant, context) => prepareW1(await import('apache-arrow'), variant === 'get', context),
    },
  },
};

function prepareW1(library: Library, byGet: boolean, context: SuiteContext): Workload {
  const inputs = readInputs(context);
  const path = tablePath(context);
  let table: Arrow.Table | undefined;
  const vector = (name: string): Arrow.Vector => (table as Arrow.Table).getChild(name) as Arrow.Vector;
  const array = <N extends keyof W1Columns>(name: N): W1Columns[N] => vector(name).toArray() as W1Columns[N];
  const take = byGet
    ? getBoth
    : (rows: Int32Array, price: Float64Array, qty: Int32Array) => {
        takeFloat64(array('price'), rows, price);
        takeInt32(array('qty'), rows, qty);
      };
  const both = (rows: Int32Array): { price: Float64Array; qty: Int32Array } => {
    const out = { price: new Float64Array(rows.length), qty: new Int32Array(rows.length) };
    take(rows, out.price, out.qty);
    return out;
  };
  const reused = { price: new Float64Array(inputs.random.length), qty: new Int32Array(inputs.random.length) };
  const bothInto = (rows: Int32Array): typeof reused => {
    take(rows, reused.price, reused.qty);
    return reused;
  };
  const same = <T>(result: T): T => result;
  const { start, end } = inputs.slice;

  function getBoth(rows: Int32Array, price: Float64Array, qty: Int32Array): void {
    const [prices, quantities] = [vector('price'), vector('qty')];
    for (let i = 0; i < rows.length; i++) price[i] = prices.get(rows[i] as number) as number;
    for (let i = 0; i < rows.length; i++) qty[i] = quantities.get(rows[i] as number) as number;
  }

  const gather = {
    'a-new': syncTask(() => both(inputs.random), same),
    'a-into': syncTask(() => bothInto(inputs.random), same),
    'b-new': syncTask(() => both(inputs.sorted), same),
    'b-into': syncTask(() => bothInto(inputs.sorted), same),
  };
  const rest = {
    'c-copy': syncTask(() => ({ price: sliced('price').slice(), qty: sliced('qty').slice() }), same),
    'c-view': syncTask(() => ({ price: sliced('price'), qty: sliced('qty') }), same),
    'd-copy': syncTask(() => ({ price: array('price').slice() }), same),
    'd-view': syncTask(() => ({ price: array('price') }), same),
    'e-small': syncTask((iteration) => {
      const rows = inputs.smallSets[iteration % inputs.smallSets.length] as Int32Array;
      return {
        ...both(rows),
        ts: takeInt64(array('ts'), rows, new BigInt64Array(rows.length)),
        score: takeFloat32(array('score'), rows, new Float32Array(rows.length)),
        flag: takeUint8(array('flag'), rows, new Uint8Array(rows.length)),
      };
    }, same),
    'f-open': syncTask(
      () => library.tableFromIPC(readFileSync(path)),
      (opened) => {
        const { fields } = opened.schema;
        return {
          metadata: metadataBytes(
            opened.numRows,
            fields.map(({ name }) => name),
            fields.map(({ type }) => DTYPES.get(String(type)) ?? String(type)),
          ),
        };
      },
    ),
    'g-mask': syncTask(() => copyRows(array('price'), array('qty'), inputs.mask), same),
  };
  return {
    files: [path],
    load: () => {
      table = library.tableFromIPC(readFileSync(path));
    },
    tasks: byGet ? gather : { ...gather, ...rest },
    close: () => {
      table = undefined;
    },
  };

  function sliced<N extends 'price' | 'qty'>(name: N): W1Columns[N] {
    return vector(name).slice(start, end).toArray() as W1Columns[N];
  }
}

function tablePath({ ownDirectory }: SuiteContext): string {
  return join(ownDirectory, 'table.arrow');
}
