// A program that has globals of its own, as Jest gives them to tests: Node's errors and promises are none of its
// `Error` and `Promise`. It runs as a bundle in CommonJS, in a context of node:vm.
import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext, runInNewContext } from 'node:vm';
import { backendInfo } from 'colstore';
import { bundleForNode } from '@colkit/testkit/bundle-for-node';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';

const PROGRAM = `
import { mkdirSync } from 'node:fs';
import { MemorySink, isColkitError } from '@colkit/io';
import { readCsv, toCsv } from '@colkit/table/csv';
import * as colstore from 'colstore';
import * as columna from 'columna';
import { DataLoader, SyrahDataset, create as createItems, typed } from 'syrah';

const codeOf = (call) => call().then(() => 'no error', (error) => (isColkitError(error) ? error.code : String(error)));

async function tables({ write, writeSync, open, openSync, verify }, path) {
  await write(path, { x: Float64Array.of(1, 2, 3), when: [new Date(0), new Date(1000), new Date(2000)] });
  writeSync(path, openSync(path).take(Int32Array.of(2, 0, 1)), { overwrite: true });
  const table = await open(path);
  const found = await table.where('x > @low and when > @first', { low: 1, first: new Date(0) }).toColumns();
  const codes = [
    await codeOf(() => open(path + '.none')),
    await codeOf(() => write(path, { x: [1] })),
    await codeOf(() => table.take([3]).toColumns()),
  ];
  table.close();
  return [found.x instanceof Float64Array, ...found.x, ...codes, (await verify(path)).ok];
}

async function everything(folder) {
  const found = {};
  found.colstore = await tables(colstore, folder + '/a.cstore');
  found.columna = await tables(columna, folder + '/a.cna');
  const log = await colstore.create(folder + '/log.cstore');
  await log.write({ x: [1] });
  await log.close();
  await (await colstore.update(folder + '/log.cstore')).close();
  await colstore.append(folder + '/shards', { x: Float64Array.of(1, 2) });
  found.shards = (await colstore.open(folder + '/shards')).rowCount;
  found.none = await codeOf(() => colstore.open(folder + '/none/*.cstore'));
  await columna.append(folder + '/a.cna', { x: [4], when: [new Date(3000)] });
  mkdirSync(folder + '/days/day=1', { recursive: true });
  await columna.write(folder + '/days/day=1/a.cna', { x: [1] });
  found.dataset = await (await columna.openDataset(folder + '/days')).toRows({ json: true });
  const csv = await readCsv(new TextEncoder().encode('a,b\\n1,x\\n'));
  await columna.write(folder + '/csv.cna', csv);
  await csv.close();
  const sink = new MemorySink();
  await toCsv(await columna.open(folder + '/csv.cna'), sink);
  found.csv = new TextDecoder().decode(sink.bytes());
  const keys = [new TextEncoder().encode('b'), Buffer.of(7), new Uint8Array([7])];
  await columna.write(folder + '/keys.cna', { key: keys });
  const stored = await columna.open(folder + '/keys.cna');
  const picked = await stored.filter(Buffer.of(1, 1, 0)).take(Buffer.of(1, 0)).toColumns();
  found.keys = [...picked.key.map((key) => key[0]), await stored.where('key == @key', { key: keys[1] }).count()];
  const items = await createItems(folder + '/a.syr');
  for (let item = 0; item < 5; item += 1)
    await items.addItem({ label: Int32Array.of(item), half: typed('float16', [item / 2]) });
  await items.close();
  const dataset = await SyrahDataset.open(folder + '/a.syr', ['label', 'half']);
  found.byThreads = [];
  for (const workers of [0, 1]) {
    found.byThreads.push([]);
    for await (const [label, half] of new DataLoader(dataset, { batchSize: 2, workers, warmStart: false })) {
      const own = label.data instanceof Int32Array && label.shape instanceof Array;
      found.byThreads.at(-1).push([own, ...label.data, ...half.data]);
    }
  }
  dataset.close();
  return found;
}
module.exports = { everything, isForeign: !(process instanceof Object) || !(Buffer.of() instanceof Uint8Array) };
`;
/** What Jest gives a test of Node's own globals. */
const NODES = [
  'ArrayBuffer',
  'Uint8Array',
  'AbortController',
  'AbortSignal',
  'Blob',
  'Buffer',
  'MessageChannel',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'clearTimeout',
  'fetch',
  'performance',
  'process',
  'queueMicrotask',
  'setImmediate',
  'setTimeout',
  'structuredClone',
];

const folder = mkdtempSync(join(tmpdir(), 'colkit-globals-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// What lies beside the bundle: the script of the loader's threads, and the addon for them.
const script = new URL('../../../syrah/src/loader/workers/worker-entry.ts', import.meta.url);
renameSync(await bundleForNode(script, folder), join(folder, 'loader-worker.mjs'));
const { path: addon } = backendInfo();
if (addon !== null) copyFileSync(addon, join(folder, 'colkit_native.node'));

test.each([
  ['Jest', {}],
  // Where Buffers are Objects and no Uint8Arrays.
  ['Vitest in jsdom', { Object, Uint8Array: runInNewContext('Uint8Array') as unknown }],
])('every format is written and read, and errors are of the family, as in %s', async (_, globals) => {
  const bundle = await build({
    stdin: { contents: PROGRAM, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    supported: { 'dynamic-import': false },
    conditions: ['@colkit/source'],
    external: ['@colkit/native', 'apache-arrow'],
    logLevel: 'silent',
  });
  const module = { exports: {} as { everything: (folder: string) => Promise<unknown>; isForeign: boolean } };
  const own = Object.fromEntries(NODES.map((name) => [name, Reflect.get(globalThis, name) as unknown]));
  const context = createContext({
    ...own,
    ...globals,
    module,
    __filename: join(folder, 'bundle.cjs'),
    require: createRequire(import.meta.url),
  });
  runInContext(bundle.outputFiles[0]?.text ?? '', context);
  expect(module.exports.isForeign).toBe(true);
  const batches = [
    [true, 0, 1, 0, 0.5],
    [true, 2, 3, 1, 1.5],
    [true, 4, 2],
  ];
  const tables = [true, 3, 2, 'ERR_NOT_FOUND', 'ERR_EXISTS', 'ERR_INDEX_OUT_OF_RANGE', true];
  expect(JSON.parse(JSON.stringify(await module.exports.everything(mkdtempSync(join(folder, 'one-')))))).toEqual({
    colstore: tables,
    columna: tables,
    shards: 2,
    none: 'ERR_NOT_FOUND',
    dataset: [{ x: 1, day: 1 }],
    csv: 'a,b\n1,x\n',
    keys: [7, 98, 2],
    byThreads: [batches, batches],
  });
});
