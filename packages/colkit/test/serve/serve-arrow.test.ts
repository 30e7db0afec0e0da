// `colkit serve-arrow`: what a client that speaks the protocol gets, what becomes of frames that are none, and that no
// process is left behind.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';
import { write as writeColstore } from 'colstore';
import type { Table } from '@colkit/table';
import { commit, openSync, writePart, writeSync } from 'columna';
import { create as createSyrah } from 'syrah';
import { beforeAll, describe, expect, it, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { ArrowStream } from '../../src/serve/arrow-stream.ts';
import { frame, servedApart, servedHere } from '../support/arrow-client.ts';
import { temporaryFolder } from '../support/folder.ts';
import { BIN, processes } from '../support/run.ts';

const { path } = temporaryFolder();
const ROWS = 20_000;
const [TABLE, COLSTORE, ITEMS] = [path('a.cna'), path('b.cstore'), path('c.syr')];
const data = (from: number, count: number): Record<string, Int32Array | readonly string[]> => ({
  id: Int32Array.from({ length: count }, (_, row) => from + row),
  name: Array.from({ length: count }, (_, row) => `n${(from + row) % 7}`),
});

beforeAll(async () => {
  writeSync(TABLE, data(0, ROWS), { rowGroupSize: 5000 });
  await writeColstore(COLSTORE, { id: Int32Array.of(1, 2, 3), x: Float64Array.of(0.5, -0, Number.NaN) });
  const items = await createSyrah(ITEMS);
  for (const label of [4, 5, 6]) await items.addItem({ label: Int32Array.of(label), long: Float32Array.of(1, 2) });
  await items.close();
});

const idsOf = (bytes: Buffer): number[] => Array.from(tableFromIPC(bytes).getChild('id')?.toArray() as Int32Array);
const numbers = (start: number, end: number): number[] => Array.from({ length: end - start }, (_, at) => start + at);

describe('a client', () => {
  it('is told the protocol, and reads tables, in batches that together are one Arrow stream', async () => {
    const { client, input, ended } = await servedHere();
    const opened = await client.ask('open', { source: TABLE });
    expect(opened.head).toMatchObject({
      rowCount: ROWS,
      files: 1,
      fields: [
        { name: 'id', dtype: 'int32', nullable: false },
        { name: 'name', dtype: 'string', nullable: false },
      ],
    });
    const from = { table: opened.head['table'] };
    const { bytes, rows } = await client.read(from, { rows: 9000 });
    expect(rows.slice(1)).toEqual([9000, ROWS - 9000 - (rows[0] ?? 0)]);
    expect(idsOf(bytes)).toEqual(numbers(0, ROWS));
    const steps = [
      { where: 'id >= @least and id != @none', params: { least: { int: '100' }, none: { float: 'inf' } } },
      { select: ['id'] },
      { slice: { start: 5, end: 8 } },
    ];
    expect(idsOf((await client.read(from, { steps })).bytes)).toEqual([105, 106, 107]);
    expect((await client.ask('count', { from, steps: steps.slice(0, 1) })).head).toMatchObject({ count: ROWS - 100 });
    const { body } = await client.ask('schema', { from, steps });
    expect(tableFromIPC(body).schema.fields.map(String)).toEqual(['id: Int32']);
    expect((await client.ask('explain', { from, steps })).head['text']).toContain('id');
    input.end();
    expect(await ended).toBe(0);
  });

  it('reads splits, each once, and refuses those of a file that is another one', async () => {
    const { client } = await servedHere();
    const own = path('split.cna');
    writeSync(own, data(0, ROWS), { rowGroupSize: 5000 });
    const from = { table: await client.open(own) };
    const { head } = await client.ask('splits', { from, targetBytes: 1, steps: [{ where: 'id < 12000' }] });
    const splits = (head['splits'] as object[]).map((split) => ({ ...split, fields: head['fields'] }));
    expect(splits).toHaveLength(3);
    const ids: number[] = [];
    for (const split of splits) ids.push(...idsOf((await client.read({ split })).bytes));
    expect(ids).toEqual(numbers(0, 15_000));
    const refused = await client.ask('splits', { from, steps: [{ slice: { start: 1 } }] });
    expect(refused.head['error']).toMatchObject({ kind: 'ArgumentError', code: 'ERR_ARGUMENT' });
    writeSync(own, data(1, ROWS), { overwrite: true, rowGroupSize: 5000 });
    const changed = await client.ask('read', { from: { split: splits[0] } });
    expect(changed.head['error']).toMatchObject({ kind: 'IoError', code: 'ERR_FILE_CHANGED' });
  });

  it('opens folders, patterns, lists, manifests, .cstore and .syr files', async () => {
    const { client } = await servedHere();
    const folder = path('region=EMEA');
    mkdirSync(folder);
    writeSync(`${folder}/1.cna`, data(0, 2));
    writeSync(`${folder}/2.cna`, data(2, 2));
    for (const source of [folder, `${folder}/*.cna`, [`${folder}/1.cna`, `${folder}/2.cna`]])
      expect(idsOf((await client.read({ table: await client.open(source) })).bytes)).toEqual([0, 1, 2, 3]);
    const names = (body: Buffer): string[] => tableFromIPC(body).schema.fields.map(({ name }) => name);
    const schemaOf = async (table: number): Promise<string[]> =>
      names((await client.ask('schema', { from: { table } })).body);
    // The folder of one file that is opened says nothing.
    expect(await schemaOf(await client.open(`${folder}/1.cna`))).toEqual(['id', 'name']);
    expect(await schemaOf(await client.open([`${folder}/1.cna`]))).toEqual(['id', 'name', 'region']);
    const committed = path('committed');
    await commit(committed, [await writePart(committed, data(7, 1))], { expected: 0 });
    expect(idsOf((await client.read({ table: await client.open(committed) })).bytes)).toEqual([7]);
    const manifest = `${committed}/_manifests/00000000000000000001.json`;
    expect(idsOf((await client.read({ table: await client.open(manifest) })).bytes)).toEqual([7]);
    const x = tableFromIPC((await client.read({ table: await client.open(COLSTORE) })).bytes).getChild('x');
    expect(Array.from(x?.toArray() as Float64Array)).toEqual([0.5, -0, Number.NaN]);
    const items = await client.open(ITEMS);
    const labels = tableFromIPC((await client.read({ table: items })).bytes);
    expect(labels.schema.fields.map(String)).toEqual(['label: Int32']);
    expect(Array.from(labels.getChild('label')?.toArray() as Int32Array)).toEqual([4, 5, 6]);
    const { head } = await client.ask('splits', { from: { table: items } });
    expect(head['error']).toMatchObject({ message: expect.stringContaining('colkit convert') as string });
  });

  it('pins a table to what it was', async () => {
    const { client } = await servedHere();
    const own = path('pinned.cna');
    writeSync(own, data(0, 5));
    const { head } = await client.ask('open', { source: own });
    const { pin } = head;
    expect((await client.ask('pin', { table: head['table'] })).head).toMatchObject({ pin });
    expect((await client.ask('open', { source: own, pin })).head).toMatchObject({ pin });
    writeSync(own, data(1, 5), { overwrite: true });
    expect((await client.ask('open', { source: own, pin })).head['error']).toMatchObject({ code: 'ERR_FILE_CHANGED' });
  });

  it('gives no columns, no rows, and wide rows in small batches', async () => {
    const { client } = await servedHere();
    const from = { table: await client.open(TABLE) };
    const none = tableFromIPC((await client.read(from, { steps: [{ select: [] }] })).bytes);
    expect([none.numRows, none.numCols]).toEqual([ROWS, 0]);
    const empty = await client.read(from, { steps: [{ where: 'id < 0' }] });
    expect([empty.rows, tableFromIPC(empty.bytes).numRows]).toEqual([[0], 0]);
    const wide = path('wide.cna');
    const pattern = 'x'.repeat(1 << 14);
    writeSync(wide, { text: Array.from({ length: 12_000 }, () => pattern) });
    const { rows } = await client.read({ table: await client.open(wide) });
    expect(rows.slice(1).every((count) => count <= 1024)).toBe(true);
    expect(rows.reduce((sum, each) => sum + each)).toBe(12_000);
  });

  it('gives a stream up, closes a table, and is told of what there is not', async () => {
    const { client } = await servedHere();
    const table = await client.open(TABLE);
    const { head } = await client.ask('read', { from: { table }, rows: 10 });
    const { stream } = head;
    expect((await client.ask('next', { stream })).head).toMatchObject({ rows: 10, done: false });
    // Without a number: no reply.
    client.send(frame({ method: 'cancel', stream }));
    expect((await client.ask('next', { stream })).head['error']).toMatchObject({ code: 'ERR_ARGUMENT' });
    client.send(frame({ method: 'close', table }));
    expect((await client.ask('count', { from: { table } })).head['error']).toMatchObject({ code: 'ERR_ARGUMENT' });
    const missing = await client.ask('open', { source: path('none.cna') });
    expect(missing.head['error']).toMatchObject({ code: 'ERR_NOT_FOUND' });
    const again = await client.open(TABLE);
    const wrong = await client.ask('read', { from: { table: again }, steps: [{ select: ['nam'] }] });
    expect(wrong.head['error']).toMatchObject({ kind: 'UnknownColumnError', code: 'ERR_UNKNOWN_COLUMN' });
    await expect(client.read({ table: again }, { steps: [{ where: 'id <' }] })).rejects.toThrow('ERR_QUERY_SYNTAX');
  });

  it('has one batch made ahead, and no more, for a reader that is slow', async () => {
    using table = openSync(TABLE);
    let made = 0;
    const slice = (start: number, end: number): Table => {
      made += 1;
      return table.slice(start, end);
    };
    const counted = { resolve: () => Promise.resolve({ count: () => Promise.resolve(ROWS), slice }) };
    const stream = new ArrowStream(counted as unknown as Table, 100, () => undefined);
    const settle = async (): Promise<void> => {
      for (let turn = 0; turn < 50; turn += 1) await new Promise((done) => setTimeout(done, 1));
    };
    await settle();
    expect(made).toBe(1);
    await stream.next();
    await settle();
    expect(made).toBe(2);
    await stream.cancel();
    expect(made).toBe(2);
  });
});

describe('frames that are none', () => {
  const cases: readonly [string, Buffer, string][] = [
    ['another magic', frame({}, { magic: 'CKA2' }), 'ERR_ARGUMENT'],
    ['a body', frame({ id: 1, method: 'count' }, { body: 1n }), 'ERR_ARGUMENT'],
    ['a body without end', frame({}, { body: 2n ** 64n - 1n }), 'ERR_ARGUMENT'],
    [
      'a head beyond the limit',
      Buffer.concat([Buffer.from('CKA1\u0000\u0000\u0000\u0005'), Buffer.alloc(8)]),
      'ERR_LIMIT',
    ],
  ];
  test.each(cases)('%s: the connection ends', async (_, bytes, code) => {
    const { client, ended } = await servedHere();
    client.send(bytes);
    expect((await client.reply()).head).toMatchObject({ id: null, error: { code } });
    expect(await ended).toBe(1);
  });

  it('an input that ends inside a frame', async () => {
    const { input, ended } = await servedHere();
    input.end(frame({ id: 1, method: 'count' }).subarray(0, 20));
    expect(await ended).toBe(1);
  });

  it('heads that are no request are answered, and the next one too; in whatever pieces they come', async () => {
    const { client } = await servedHere();
    for (const head of ['', 'null', '[1]', '{', '"open"', '\u0000'])
      for (const half of [frame(head).subarray(0, 9), frame(head).subarray(9)]) client.send(half);
    for (let count = 0; count < 6; count += 1) expect((await client.reply()).head).toMatchObject({ id: null });
    const bad: readonly object[] = [
      {},
      { method: 'constructor' },
      { method: 'open' },
      { method: 'open', source: [1] },
      { method: 'open', source: TABLE, version: -1 },
      { method: 'open', source: TABLE, onMismatch: 'x' },
      { method: 'open', source: TABLE, partitions: true },
      { method: 'read', from: { table: 99 } },
      { method: 'read', from: { split: { splitVersion: 1, path: TABLE } } },
      { method: 'read', from: null },
      { method: 'count', from: { table: 1.5 } },
      { method: 'count', from: { table: 1 }, steps: [{ slice: { start: 'a' } }] },
      { method: 'count', from: { table: 1 }, steps: [{ where: 'x == @a', params: { a: { int: '1e9' } } }] },
      { method: 'next', stream: '1' },
    ];
    for (const { method, ...parameters } of bad as readonly { readonly method: string }[]) {
      const { head } = await client.ask(method, parameters);
      expect(head['error'], JSON.stringify(parameters)).toMatchObject({ kind: 'ArgumentError', code: 'ERR_ARGUMENT' });
    }
    const messageOf = async (method: string): Promise<unknown> =>
      ((await client.ask(method, {})).head['error'] as { readonly message: string }).message;
    expect(await messageOf('open')).toBe('source: expected a path or URL, or a list of them but found undefined');
    expect(await messageOf('nope')).toMatch(/^method: expected one of open, pin, schema, .*, close but found "nope"$/);
    expect(await client.open(TABLE)).toBeGreaterThan(0);
  });
});

describe('processes', processes, () => {
  it('answers as a process, says hello, and ends with its input, whatever is going on', async () => {
    const { client, child, ended } = servedApart();
    expect((await client.reply()).head).toMatchObject({
      hello: { protocol: 1, version: packageJson.version, node: process.versions.node },
    });
    const from = { table: await client.open(TABLE) };
    expect(idsOf((await client.read(from)).bytes)).toEqual(numbers(0, ROWS));
    await client.ask('read', { from, rows: 1 });
    child.stdin?.end();
    expect(await ended).toBe(0);
  });

  it('waits for a reader that is slow', async () => {
    const wide = path('slow.cna');
    writeSync(wide, { id: Float64Array.from({ length: 1 << 18 }, () => Math.random()) });
    const { client, child, ended } = servedApart();
    await client.reply();
    const from = { table: await client.open(wide) };
    const streams: unknown[] = [];
    for (let count = 0; count < 3; count += 1) streams.push((await client.ask('read', { from })).head['stream']);
    // Megabytes, while nobody reads: the output is full.
    for (const [id, stream] of [...streams, ...streams, ...streams].entries())
      client.send(frame({ id: `n${String(id)}`, method: 'next', stream }));
    await new Promise((done) => setTimeout(done, 300));
    const got: unknown[] = [];
    for (let count = 0; count < 9; count += 1) got.push((await client.reply()).head['rows']);
    expect([...got].sort((one, other) => Number(one) - Number(other))).toEqual([
      8192, 8192, 8192, 65_536, 65_536, 65_536, 65_536, 65_536, 65_536,
    ]);
    child.stdin?.end();
    expect(await ended).toBe(0);
  });

  it('ends where nobody reads its output', async () => {
    const { client, child, ended } = servedApart();
    await client.reply();
    child.stdout?.destroy();
    for (let count = 0; count < 3; count += 1) client.send(frame({ id: count, method: 'open', source: TABLE }));
    expect(await ended).toBe(0);
  });

  it('ends with a parent that is killed, even where another process keeps its input open', async () => {
    // The parent gives its end of the pipe to a process that outlives it, and is killed.
    const script = `
      const { spawn } = require('node:child_process');
      const [program, stdio] = [${JSON.stringify(BIN)}, ['pipe', 'pipe', 'inherit']];
      const server = spawn(process.execPath, [program, 'serve-arrow'], { stdio });
      const keeper = spawn('sleep', ['60'], { stdio: [server.stdin, 'ignore', 'ignore'], detached: true });
      server.stdout.once('data', () => console.log(server.pid + ' ' + keeper.pid));
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [server = 0, keeper = 0] = await new Promise<number[]>((done) =>
      parent.stdout.once('data', (text: Buffer) => done(text.toString().trim().split(' ').map(Number))),
    );
    try {
      expect(isRunning(server)).toBe(true);
      parent.kill('SIGKILL');
      await expect.poll(() => isRunning(server), { timeout: 15_000 }).toBe(false);
      expect(isRunning(keeper)).toBe(true);
    } finally {
      process.kill(keeper);
    }
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a file that is gone while it is read is told, and the session goes on', async () => {
  const { client } = await servedHere();
  const folder = path('gone');
  mkdirSync(folder);
  // Larger than what is held in memory.
  const noise = { x: Float64Array.from({ length: ROWS }, (_, row) => Math.sin(row)) };
  for (const part of [1, 2]) writeSync(`${folder}/${part}.cna`, noise);
  const table = await client.open(folder);
  rmSync(folder, { recursive: true });
  await expect(client.read({ table })).rejects.toThrow(/ERR_(NOT_FOUND|FILE_CHANGED|READ)/);
  expect(await client.open(TABLE)).toBeGreaterThan(table);
});
