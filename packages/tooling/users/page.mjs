// What each bundle for the web runs, in a page or in a worker of its own: columna and colstore of a URL and written to
// memory, syrah's loader in this thread and with Web Workers.
import { open, write as writeColumns, MemorySink } from 'colstore';
import { open as openColumna, read, scan } from 'columna';
import { DataLoader, SyrahDataset } from 'syrah';

const at = (name) => new URL(name, location.href).href;

async function loaded(workers) {
  const dataset = await SyrahDataset.open(at('/a.syr'), ['x']);
  const seen = [];
  // Without warm start: else this thread would make the few batches while the workers start, or fail to.
  const options = { batchSize: 4, shuffle: true, seed: 1, workers, warmStart: false };
  for await (const [x] of new DataLoader(dataset, options)) seen.push(...x.data);
  return seen.join();
}

async function main() {
  const table = await open(at('/a.cstore'));
  const sink = new MemorySink();
  await writeColumns(sink, { x: Int32Array.of(1, 2, 3) });
  const written = await (await open(sink.bytes())).toColumns();
  const grouped = await (await openColumna(at('/a.cna'))).groupBy('names').agg({ n: 'count' });
  return {
    sum: await table.column('x').sum(),
    taken: Array.from((await table.take([2, 0, -1]).toColumns()).x),
    read: (await read(at('/a.cna'))).x.length,
    scanned: (await scan(at('/a.cna'), { where: "names == 'red' and x > 100" })).rowCount,
    groups: grouped.rowCount,
    written: Array.from(written.x),
    loaded: await loaded(0),
    byWorkers: await loaded(2),
  };
}

globalThis.answer = main().catch((error) => ({ error: String(error?.stack ?? error) }));
