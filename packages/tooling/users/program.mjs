// What each bundle and each runtime runs: all formats written, read, scanned and loaded in this thread and in another
// one. Prints one line of JSON. With a folder as its argument it leaves the files there.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemorySink, backendInfo, open as openColumns, write as writeColumns } from 'colstore';
import { read, scan, write as writeColumna } from 'columna';
import { DataLoader, SyrahDataset, create } from 'syrah';

const ROWS = 3000;

async function main() {
  const kept = process.argv[2];
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'colkit-user-'));
  const found = { backend: backendInfo().backend };
  try {
    const columns = {
      x: Float64Array.from({ length: ROWS }, (_, i) => i / 2),
      g: Int32Array.from({ length: ROWS }, (_, i) => i % 3),
    };
    await writeColumns(join(folder, 'a.cstore'), columns);
    const table = await openColumns(join(folder, 'a.cstore'));
    found.sum = await table.column('x').sum();
    found.taken = Array.from((await table.take([2, 0, -1]).toColumns()).x);
    found.view = viewed(table.column('g'));
    table.close();

    const names = Array.from({ length: ROWS }, (_, i) => ['red', 'green', null][i % 3]);
    await writeColumna(join(folder, 'a.cna'), { ...columns, names });
    found.read = (await read(join(folder, 'a.cna'))).x.length;
    found.scanned = (await scan(join(folder, 'a.cna'), { where: "names == 'red' and x > 100" })).rowCount;
    const sink = new MemorySink();
    await writeColumna(sink, { ...columns, names });
    const stored = readFileSync(join(folder, 'a.cna'));
    found.same = stored.equals(sink.bytes());

    const writer = await create(join(folder, 'a.syr'));
    for (let i = 0; i < 8; i++) await writer.addItem({ x: Float32Array.of(i) });
    await writer.close();
    found.loaded = await loaded(join(folder, 'a.syr'), 0);
    found.byWorkers = await loaded(join(folder, 'a.syr'), 2).catch((error) => error.message);
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
  return found;
}

/** The fifth value, without a copy, or why not. */
function viewed(column) {
  try {
    return column.viewArray()[4];
  } catch (error) {
    return error.code;
  }
}

async function loaded(path, workers) {
  const dataset = await SyrahDataset.open(path, ['x']);
  const seen = [];
  // Without warm start: else this thread would make the few batches while the workers start, or fail to.
  const options = { batchSize: 4, shuffle: true, seed: 1, workers, warmStart: false };
  for await (const [x] of new DataLoader(dataset, options)) seen.push(...x.data);
  return seen.join();
}

// Not `await` at the top: bundles in CommonJS have none.
main().then(
  (found) => console.log(JSON.stringify(found)),
  (error) => {
    console.log(JSON.stringify({ error: String(error?.stack ?? error) }));
    process.exitCode = 1;
  },
);
