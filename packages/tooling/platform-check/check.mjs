// What `try-binaries` runs on each platform, as one bundle with the addon beside it: tables of every type through all
// three formats, and files that grow and are replaced, their bytes and answers as one digest. The digest is the same on
// every platform, with the addon and without it. Writes its findings to the file named by the last argument: not every
// runner has a standard output.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as colstore from 'colstore';
import * as columna from 'columna';
import * as syrah from 'syrah';
import { growingFiles } from './growing.mjs';

const ROWS = 20_000;
const folder = mkdtempSync(join(tmpdir(), 'colkit-platform-'));
const hash = createHash('sha256');

/** The same numbers everywhere: a generator of its own (mulberry32). */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

const next = generator(7);
const EDGES = [0n, -1n, 1n, 2n ** 31n, 2n ** 32n + 1n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n];
const fill = (array, value) => array.map((_, index) => value(index));
const columns = {
  i8: fill(new Int8Array(ROWS), next),
  u16: fill(new Uint16Array(ROWS), next),
  i32: fill(new Int32Array(ROWS), (row) => next() >> (row % 20)),
  u32: fill(new Uint32Array(ROWS), next),
  i64: fill(new BigInt64Array(ROWS), (row) => (row % 9 === 0 ? EDGES[next() % EDGES.length] : BigInt(next()))),
  f32: fill(new Float32Array(ROWS), () => next() / 7),
  f64: fill(new Float64Array(ROWS), (row) => (row % 50 === 0 ? Number.NaN : (next() % 100_000) / 100)),
  sorted: fill(new Int32Array(ROWS), (row) => row >> 3),
};
const texts = Array.from({ length: ROWS }, (_, row) =>
  row % 11 === 0 ? null : ['', 'EMEA', 'ÄÖ😀', `n${next() % 500}`][next() % 4],
);
const rows = Float64Array.from({ length: 5_000 }, () => next() % ROWS);
const mask = Uint8Array.from({ length: ROWS }, () => next() & 1);

function digest(label, value) {
  hash.update(label);
  hash.update(JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `${item}n` : written(item))));
}

function written(item) {
  if (ArrayBuffer.isView(item)) return Buffer.from(item.buffer, item.byteOffset, item.byteLength).toString('base64');
  if (typeof item === 'number' && !Number.isFinite(item)) return String(item);
  return item;
}

const where = 'f64 > 250.5 and i32 < 100000 and sorted between 100 and 2000';
try {
  const cstore = join(folder, 'check.cstore');
  for (const layout of ['flat', 'records']) {
    await colstore.write(cstore, columns, { layout, overwrite: true });
    digest(`cstore ${layout}`, readFileSync(cstore));
    const table = await colstore.open(cstore);
    digest('take', await table.take(rows).toColumns());
    digest('take sync', table.take(rows).toColumnsSync());
    digest('mask', await table.filter(mask).toColumns());
    digest('steps', table.slice(17, -3, 7).toColumnsSync());
    digest('where', await table.where(where).toColumns());
    digest(
      'sums',
      await table.agg({ i: { sum: 'i64' }, f: { mean: 'f64' }, most: { max: 'u32' }, least: { min: 'i8' } }),
    );
    table.close();
  }
  const cna = join(folder, 'check.cna');
  for (const mode of ['plain', 'default', 'smallest']) {
    await columna.write(cna, { ...columns, texts }, { mode, rowGroupSize: 7_000, overwrite: true });
    digest(`cna ${mode}`, readFileSync(cna));
    digest('read', columna.readSync(cna));
    digest('read async', await columna.read(cna));
    const scanned = await columna.scan(cna, { where: `${where} or texts == 'EMEA'` });
    digest('scan', [scanned.columns, scanned.rowCount]);
    digest(
      'groups',
      (
        await columna
          .scan(cna)
          .groupBy('texts')
          .agg({ n: 'count', s: { sum: 'i32' } })
      ).columns,
    );
    const table = await columna.open(cna);
    digest('take', await table.take(rows).toColumns());
    table.close();
    digest('verify', await columna.verify(cna));
  }
  const syr = join(folder, 'check.syr');
  const writer = await syrah.create(syr);
  for (let item = 0; item < 200; item++)
    await writer.addItem({ label: Int32Array.of(item), values: columns.f32.slice(item * 90, item * 90 + (item % 60)) });
  await writer.close();
  digest('syr', readFileSync(syr));
  const items = await syrah.open(syr);
  for (const item of [0, 59, 199]) digest('item', items.getItemSync(item));
  digest('labels', await items.gatherItems([3, 1, 199, 0], 'label'));
  items.close();
  await growingFiles(folder, digest);
  const { backend, reason } = colstore.backendInfo();
  finish({
    platform: `${process.platform}-${process.arch}`,
    node: process.version,
    backend,
    reason,
    digest: hash.digest('hex'),
  });
} catch (error) {
  finish({ error: error instanceof Error ? error.stack : String(error) });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function finish(found) {
  writeFileSync(process.argv[2], JSON.stringify(found));
}
