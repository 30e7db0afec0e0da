// Files of all formats behind a server that misbehaves on purpose: the same answers as of the local file, or the
// reason, and nowhere what is secret in a URL.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect as printed } from 'node:util';
import * as colstore from 'colstore';
import * as columna from 'columna';
import * as syrah from 'syrah';
import { flaky, objectServer } from '@colkit/testkit/object-server';
import type { Fault } from '@colkit/testkit/object-server';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'colkit-remote-'));
const server = await objectServer();
const ROWS = 40_000;
const ITEMS = 60;
const local = (name: string): string => join(folder, name);
const noisy = (i: number): number => Math.fround(Math.sin(i) * 1000);

await colstore.write(local('a.cstore'), {
  id: Int32Array.from({ length: ROWS }, (_, i) => i),
  x: Float32Array.from({ length: ROWS }, (_, i) => noisy(i)),
});
await columna.write(
  local('a.cna'),
  { id: Int32Array.from({ length: ROWS }, (_, i) => i), x: Float32Array.from({ length: ROWS }, (_, i) => noisy(i)) },
  { rowGroupSize: 10_000, pageRows: 2_000 },
);
const writer = await syrah.create(local('a.syr'));
for (let i = 0; i < ITEMS; i += 1)
  await writer.addItem({
    x: Float32Array.from({ length: 2000 }, (_, k) => noisy(i + k)),
    label: Int32Array.of(i),
    name: `item ${String(i)}`,
  });
await writer.close();
for (const name of ['a.cstore', 'a.cna', 'a.syr']) server.objects.set(name, readFileSync(local(name)));
const SECRET = '?X-Amz-Signature=topsecret1';
const url = (name: string): string => `${server.url(name).replace('//', '//alice:passw0rd@')}${SECRET}`;
const QUICK = { retry: { baseMs: 1 } };

beforeEach(() => {
  server.fault = () => false;
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What is read of a file, wherever it is: one entry for each way of reading. */
const READS: Readonly<Record<string, (where: string, options: object) => Promise<unknown>>> = {
  'colstore open': async (where, options) => {
    using table = await colstore.open(where, options);
    return [
      await table.toColumns(),
      await table.where('id > 39990').toRows(),
      await table.select(['x']).take([5, 30_000, 7]).toColumns(),
    ];
  },
  'colstore info': async (where, options) => ({ ...(await colstore.info(where, options)), path: '' }),
  'columna open': async (where, options) => {
    using table = await columna.open(where, options);
    return [await table.toColumns(), await table.where('x > 999').toRows()];
  },
  'columna read': (where, options) => columna.read(where, { columns: ['x'], ...options }),
  'columna scan': async (where, options) =>
    (await columna.scan(where, { where: 'id < 20000', columns: ['x'], ...options })).columns,
  'columna inspect': async (where, options) => ({ ...(await columna.inspect(where, options)), path: '' }),
  'syrah open': async (where, options) => {
    using file = await syrah.open(where, options);
    return [await file.getItem(5), await file.gatherItems([1, 59, 3], 'x'), await file.getArray(7, 'name')];
  },
  'syrah loader': (where, options) => epoch(where, options, 0),
  'syrah workers': (where, options) => epoch(where, options, 2),
};

async function epoch(where: string, options: object, workers: number): Promise<unknown[]> {
  const dataset = await syrah.SyrahDataset.open(where, ['x', 'label', 'name'], options);
  const batches: unknown[] = [];
  await using loader = new syrah.DataLoader(dataset, { batchSize: 7, shuffle: true, workers, warmStart: false });
  for await (const batch of loader) batches.push(batch);
  dataset.close();
  return batches;
}

const fileOf = (name: string): string =>
  name.startsWith('colstore') ? 'a.cstore' : name.startsWith('columna') ? 'a.cna' : 'a.syr';
const WAYS = Object.entries(READS);

describe.each(WAYS)('%s', (name, read) => {
  const file = fileOf(name);

  test('a server that fails every third time: the same answer', async () => {
    server.fault = flaky(3);
    expect(await read(url(file), { retry: { baseMs: 1, attempts: 12 } })).toEqual(await read(local(file), {}));
  });

  test('a server that is always busy: the reason, without secrets, after so many attempts', async () => {
    const busy: Fault = (_, response) => Boolean(response.writeHead(503).end());
    server.fault = busy;
    const failure = await failureOf(read(url(file), { retry: { attempts: 2, baseMs: 1 } }));
    expect(printed(failure, { depth: 9 })).toContain('503 Service Unavailable (in each of 2 attempts)');
    expect(printed(failure, { depth: 9 })).not.toMatch(/topsecret1|X-Amz|alice|passw0rd/);
  });

  test.each<[string, Fault]>([
    ['refuses', (_, response) => Boolean(response.writeHead(403).end())],
    ['has another version', (_, response) => Boolean(response.writeHead(412).end())],
    ['hangs up', (_, response) => Boolean(response.destroy())],
  ])('a server that %s after a while: nothing secret is told', async (_, fault) => {
    let requests = 0;
    server.fault = (...request) => (requests += 1) > 1 && fault(...request);
    const failure = await failureOf(read(url(file), { retry: { attempts: 2, baseMs: 1 } }));
    expect(printed(failure, { depth: 9, showHidden: true })).not.toMatch(/topsecret1|X-Amz|alice|passw0rd/);
  });
});

async function failureOf(reading: Promise<unknown>): Promise<unknown> {
  try {
    return await reading;
  } catch (error) {
    return error;
  }
}

test('bytes that are no such file: nothing secret is told, by any format', async () => {
  server.objects.set('junk', new Uint8Array(100_000).fill(7));
  for (const [name, read] of WAYS) {
    const failure = await failureOf(read(url('junk'), QUICK));
    expect(failure, name).toMatchObject({ code: expect.stringMatching(/^ERR_/) as unknown });
    expect(printed(failure, { depth: 9, showHidden: true })).not.toMatch(/topsecret1|X-Amz|alice|passw0rd/);
  }
});

test('what an open file shows of itself holds no secret', async () => {
  const [table, stored, items] = [
    await colstore.open(url('a.cstore')),
    await columna.open(url('a.cna')),
    await syrah.open(url('a.syr')),
  ];
  const many = await colstore.open([url('a.cstore'), url('a.cstore')]);
  const shown = [
    table,
    stored,
    items,
    many,
    await colstore.info(url('a.cstore')),
    await columna.inspect(url('a.cna')),
    items.path,
  ];
  expect(printed(shown, { depth: 9, showHidden: true })).not.toMatch(/topsecret1|X-Amz|alice|passw0rd/);
  for (const each of [table, stored, items, many]) each.close();
});

test('functions go with every format; workers are refused with the reason', async () => {
  let signed = 0;
  const sign = (): object => {
    signed += 1;
    return { headers: { 'x-signed': 'yes' } };
  };
  for (const [name, read] of WAYS.filter(([each]) => each !== 'syrah workers')) {
    const before = signed;
    const file = fileOf(name);
    expect(await read(url(file), { sign })).toEqual(await read(local(file), {}));
    expect(signed, name).toBeGreaterThan(before);
  }
  const refused = await failureOf(READS['syrah workers']?.(url('a.syr'), { sign }) ?? Promise.resolve());
  expect(refused).toMatchObject({ name: 'ArgumentError' });
  expect(String(refused)).toContain('opened with { sign }, and functions stay in their thread');
});

test('a URL that expires in the middle of an epoch is renewed', async () => {
  let valid = 'topsecret1';
  let renewals = 0;
  const renew = (): string => {
    renewals += 1;
    valid = `topsecret${String(renewals + 1)}`;
    return url('a.syr').replace('topsecret1', valid);
  };
  let requests = 0;
  server.fault = ({ url: asked = '' }, response) => {
    requests += 1;
    if (requests === 3) valid = 'none';
    return !asked.includes(valid) && Boolean(response.writeHead(403).end());
  };
  expect(await epoch(url('a.syr'), { renew }, 0)).toEqual(await epoch(local('a.syr'), {}, 0));
  expect(renewals).toBe(1);
});
