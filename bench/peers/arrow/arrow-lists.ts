// Apache Arrow JS over an IPC file with a list column for each key: the whole file is read at the start, then a value
// is a view of a column's child array (`view`), or its copy (`get`).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Arrow from 'apache-arrow';
import { versionOf } from '../../src/checkouts/package-version.ts';
import { syncTask } from '../../src/checkouts/peer.ts';
import type { Outputs, Peer, PeerSuite, SuiteContext, Workload } from '../../src/checkouts/peer.ts';
import { BATCH, newArray, readW3, sumOf } from '../../suites/w3-data.ts';
import type { Item, ItemArray, W3Inputs } from '../../suites/w3-data.ts';
import { Tally, counted, outcome, removedLater } from '../../suites/w3-syrah.ts';

type Library = typeof Arrow;

const items = (set: 'a' | 'b'): PeerSuite => ({
  variants: ['lists'],
  build: async (context) => writeTable(await import('apache-arrow'), tablePath(context), readW3(set, context)),
  prepare: async (_variant, context) => prepare(await import('apache-arrow'), set, context),
});

export const peer: Peer = {
  name: 'arrow-lists',
  load: async () => {
    await import('apache-arrow');
    return { 'apache-arrow': versionOf('apache-arrow') };
  },
  suites: { w3a: items('a'), w3b: items('b') },
};

/** A list column as its flat values and where each list starts. */
interface Lists {
  readonly values: ItemArray;
  readonly starts: Int32Array;
}

function prepare(library: Library, set: 'a' | 'b', context: SuiteContext): Workload {
  const inputs = readW3(set, context);
  const { order, itemCount, stacked, keys } = inputs;
  const path = tablePath(context);
  let columns = new Map<string, Lists>();
  const at = (iteration: number): number => order[iteration % itemCount] as number;
  const view = (name: string, item: number): ItemArray => {
    const { values, starts } = columns.get(name) as Lists;
    return values.subarray(starts[item], starts[item + 1]);
  };
  const itemOf = (item: number, copy: boolean): Item => {
    const found: Item = {};
    for (const { name } of keys) found[name] = copy ? view(name, item).slice() : view(name, item);
    return found;
  };
  const stack = (batch: Int32Array, out: ItemArray): ItemArray => {
    const each = stacked.length ?? 0;
    for (let k = 0; k < batch.length; k++)
      (out as Float64Array).set(view(stacked.name, batch[k] as number) as Float64Array, k * each);
    return out;
  };
  const out = newArray(stacked.dtype, BATCH * (stacked.length ?? 0));
  const same = (item: Item): Outputs => item;
  return {
    files: [path],
    load: () => {
      columns = listsOf(library.tableFromIPC(readFileSync(path)), inputs);
    },
    tasks: {
      view: syncTask((i) => itemOf(at(i), false), same),
      get: syncTask((i) => itemOf(at(i), true), same),
      sum: syncTask(
        (i) => sumOf(view(stacked.name, at(i)) as Float64Array),
        (sum) => ({ sum }),
      ),
      label: syncTask((i) => ({ label: view('label', at(i)).slice() }), same),
      'batch-new': syncTask(
        (i) => stack(inputs.batch(i), newArray(stacked.dtype, BATCH * (stacked.length ?? 0))),
        (data) => ({ data }),
      ),
      'batch-into': syncTask(
        (i) => stack(inputs.batch(i), out),
        (data) => ({ data }),
      ),
      open: syncTask(() => library.tableFromIPC(readFileSync(path)).numRows, counted),
      write: syncTask(
        (i) => {
          const target = join(context.ownDirectory, `written-${String(process.pid)}-${String(i)}.arrow`);
          writeTable(library, target, inputs);
          return removedLater(target);
        },
        (target) => {
          const table = library.tableFromIPC(readFileSync(target));
          const { values, starts } = listsOf(table, inputs).get(stacked.name) as Lists;
          return {
            items: Int32Array.of(table.numRows),
            features: values.subarray(starts[itemCount - 1], starts[itemCount]),
          };
        },
        inputs.ready,
      ),
      epoch: syncTask(() => {
        const tally = new Tally();
        for (let start = 0; start < itemCount; start += BATCH) {
          const batch = order.subarray(start, start + BATCH);
          const labels = Array.from(batch, (item) => Number(view('label', item)[0]));
          tally.add(
            stack(batch, newArray(stacked.dtype, batch.length * (stacked.length ?? 0))) as Float64Array,
            Int32Array.from(labels),
          );
        }
        return tally;
      }, outcome),
    },
    release: () => inputs.release(),
    close: () => columns.clear(),
  };
}

function listsOf(table: Arrow.Table, { keys }: W3Inputs): Map<string, Lists> {
  return new Map(
    keys.map(({ name }) => {
      const data = table.getChild(name)?.data[0] as Arrow.Data<Arrow.List>;
      const [child] = data.children as unknown as readonly [{ readonly values: ItemArray }];
      return [name, { values: child.values, starts: data.valueOffsets as Int32Array }];
    }),
  );
}

function writeTable(library: Library, path: string, { keys, itemCount, item }: W3Inputs): void {
  const { Field, Float32, Float64, Int32, Int64, List, Table, makeData, makeVector, tableToIPC } = library;
  const types = { float64: new Float64(), float32: new Float32(), int32: new Int32(), int64: new Int64() };
  const columns = keys.map(({ name, dtype }) => {
    const starts = new Int32Array(itemCount + 1);
    for (let i = 0; i < itemCount; i++) starts[i + 1] = (starts[i] ?? 0) + (item(i)[name] as ItemArray).length;
    const values = newArray(dtype, starts[itemCount] ?? 0);
    for (let i = 0; i < itemCount; i++) (values as Float64Array).set(item(i)[name] as Float64Array, starts[i]);
    const child = makeData({
      type: types[dtype] as Arrow.Float64,
      length: values.length,
      data: values as Float64Array,
    });
    return [
      name,
      makeVector(
        makeData({
          type: new List(new Field('item', types[dtype] as Arrow.Float64)),
          length: itemCount,
          valueOffsets: starts,
          child,
        }),
      ),
    ] as const;
  });
  writeFileSync(path, tableToIPC(new Table(Object.fromEntries(columns)), 'file'));
}

function tablePath({ ownDirectory }: SuiteContext): string {
  return join(ownDirectory, 'items.arrow');
}
