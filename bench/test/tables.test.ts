// Every peer that can run here computes the same over a small table as every other: that is what makes their times
// comparable.
import { crc32 } from 'node:zlib';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describePeers, listPeerFiles, selectCandidates } from '../src/run/candidates.ts';
import type { FoundPeer } from '../src/run/candidates.ts';
import { Progress } from '../src/run/progress.ts';
import { runSuite } from '../src/run/run-suite.ts';
import { csv } from '../suites/csv.ts';
import { formatsFlights, formatsOrders } from '../suites/formats.ts';
import { ORDERS_HEADER, orderLine, orders } from '@colkit/testkit/orders';
import { generateOrders } from '../suites/orders-files.ts';
import { readInputs, readRawColumns, tableParameters, textsOf } from '../suites/table/files.ts';
import { w2 } from '../suites/w2-scan.ts';

let folder = '';
let peers: FoundPeer[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'colkit-bench-'));
  const taking = /columna|hyparquet|arrow-table|colstore-table|syrah-items|duckdb|polars|parquet-wasm|pyarrow|vortex/;
  peers = await describePeers(listPeerFiles([]).filter(({ fileName }) => taking.test(fileName)));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the orders are those of the generator that the notes on performance were measured with', () => {
  let text = ORDERS_HEADER;
  for (const order of orders(1000)) text += orderLine(order);
  expect([text.length, crc32(text).toString(16)]).toEqual([53_539, 'e4752bcb']);
});

test('the raw columns hold what the CSV file says', () => {
  const directory = mkdtempSync(join(folder, 'raw-'));
  const rows = 3000;
  const parameters = tableParameters(rows);
  generateOrders(rows, parameters['takeRows'] ?? 0, true, directory, new Progress());
  const context = { directory, ownDirectory: directory, parameters };
  const inputs = readInputs(context);
  const columns = readRawColumns(context, inputs).map((raw) =>
    raw.column.dtype === 'string' ? textsOf(raw) : Array.from<unknown>(raw.values),
  );
  const lines = readFileSync(join(directory, 'orders.csv'), 'utf8').trimEnd().split('\n').slice(1);
  expect(lines).toHaveLength(rows);
  lines.forEach((line, row) => {
    const [id, ts, region, status, amount, quantity, note] = line.split(',');
    expect(columns.map((values) => values[row])).toEqual([
      BigInt(id ?? ''),
      BigInt(Date.parse(`${ts ?? ''}Z`)),
      region,
      status,
      Number(amount),
      Number(quantity),
      note === '' ? null : note,
    ]);
  });
  expect(new Set(inputs.take).size).toBe(inputs.take.length);
  expect(Math.max(...inputs.take)).toBeLessThan(rows);
});

test.each([w2, csv, formatsOrders, formatsFlights])(
  '$name: all peers here agree on all tasks',
  async (suite) => {
    const rows = 4000;
    const small = {
      ...suite,
      // Answers are compared, not times: one run is enough to warm up.
      tasks: suite.tasks.map((task) => ({ ...task, samples: 1, warmUpMs: 0 })),
      data: () => ({
        name: 'tiny',
        parameters: {
          ...tableParameters(rows),
          csv: suite === w2 || suite === csv ? 1 : 0,
          json: suite === csv ? 1 : 0,
        },
      }),
    };
    const candidates = selectCandidates(peers, suite.name, []);
    const options = {
      quick: true,
      cold: false,
      rounds: 1,
      tasks: [],
      earlier: null,
      skipFinished: false,
      cacheFolder: folder,
      repositoryFolder: folder,
    };
    const { tasks } = await runSuite(small, peers, candidates, options, new Progress(), () => undefined);
    for (const task of suite.tasks) {
      const measurements = Object.entries(tasks[task.name]?.measurements ?? {});
      expect(measurements.filter(([, { kind }]) => kind === 'failed')).toEqual([]);
      expect(measurements.filter(([, { kind }]) => kind === 'measured').length, task.name).toBeGreaterThan(0);
    }
  },
  300_000,
);
