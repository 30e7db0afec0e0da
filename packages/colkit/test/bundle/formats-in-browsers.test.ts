// colstore and syrah, and writing of .cstore and .cna, in a real browser: bundles of the published entry points with
// code splitting, in the page and in a worker, from a server's ranges, Blobs and the origin's private files. Where the
// machine has none this says so.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSync } from 'colstore';
import { MemorySink, read as readColumna, write as writeColumna } from 'columna';
import { createSync } from 'syrah';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testBrowser } from '@colkit/testkit/browser';
import { browserProgram } from '../support/browser-program.ts';
import type { BrowserProgram } from '../support/browser-program.ts';

const browser = testBrowser('the builds for browsers were not run in one');

const folder = mkdtempSync(join(tmpdir(), 'colkit-chromium-'));
const price = Float64Array.from({ length: 5000 }, (_, i) => (i % 97) / 4);
const qty = Int32Array.from({ length: 5000 }, (_, i) => i % 13);
writeSync(join(folder, 'a.cstore'), { price, qty });
const items = createSync(join(folder, 'a.syr'));
for (let i = 0; i < 50; i++) items.addItemSync({ features: Float32Array.of(i, i + 0.5), label: Int32Array.of(i % 3) });
items.closeSync();
/** Sentences that no dictionary makes small. */
const NOTES = Array.from(
  { length: 3000 },
  (_, i) => `order ${(i * 7919) % 10007} of customer ${(i * 31) % 997} was sent by train on day ${i % 365}`,
);
/** Scripts of workers need a policy of the page's, which this one has none of. */
const STRICT = "script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";
const FILES = Object.fromEntries(['a.cstore', 'a.syr'].map((name) => [`/${name}`, readFileSync(join(folder, name))]));

const TASKS = `
  import * as colstore from 'colstore';
  import * as columna from 'columna';
  import { DataLoader, SyrahDataset, create, open as openItems } from 'syrah';
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const codeOf = (promise) => promise.then(() => 'none', (error) => error.code ?? String(error));
  const tasks = {
    async read(what) {
      const table = await colstore.open(what);
      const { price, qty } = await table.toColumns();
      const found = table.where(colstore.col('qty').eq(3).and(colstore.col('price').gt(20)));
      const text = await table.where('qty == 3 and price > 20').count();
      const wrong = await codeOf(table.where('nope > 1').count());
      const grouped = await table.groupBy('qty').agg({ n: 'count', total: { sum: 'price' } });
      const rows = await table.orderBy({ column: 'price', descending: true }).head(2).toRows();
      return { price: sum(price), qty: sum(qty), count: await found.count(), text, wrong, rows,
        total: sum(grouped.columns.total), preview: (await table.preview({ rows: 2 })).split('\\n').length };
    },
    async load(what, workers) {
      const dataset = await SyrahDataset.open(what, ['features', 'label']);
      const seen = [];
      const loader = new DataLoader(dataset, { batchSize: 16, shuffle: true, seed: 7, workers, warmStart: false });
      for await (const [features, labels] of loader)
        seen.push([features.shape.join(), sum(features.data), Array.from(labels.data)]);
      return seen;
    },
    loadByWorkers: (what) =>
      tasks.load(what, 2).then(() => 'loaded', (error) => error.code + ' ' + error.reason + ': ' + error.message),
    async loadWithoutWorkers(what) {
      const { Worker } = globalThis;
      // As a service worker's globals are.
      globalThis.Worker = undefined;
      try {
        return await tasks.loadByWorkers(what);
      } finally {
        globalThis.Worker = Worker;
      }
    },
    async write() {
      const price = Float64Array.from({ length: 3000 }, (_, i) => i / 8);
      const columns = { price, qty: Int32Array.from({ length: 3000 }, (_, i) => i % 7) };
      const sink = new colstore.MemorySink();
      await colstore.write(sink, columns);
      const root = await navigator.storage.getDirectory();
      const handle = await root.getFileHandle('written.cstore', { create: true });
      await colstore.write(handle, columns, { overwrite: true });
      const again = await codeOf(colstore.write(handle, columns));
      const back = await (await colstore.open(await handle.getFile())).toColumns();
      const stored = new Uint8Array(await (await handle.getFile()).arrayBuffer());
      const bytes = sink.bytes();
      const same = stored.length === bytes.length && stored.every((byte, i) => byte === bytes[i]);
      return { bytes: Array.from(bytes), same, again, qty: sum(back.qty),
        path: await codeOf(colstore.write('a.cstore', columns)),
        blob: sum((await (await colstore.open(new Blob([sink.bytes()]))).toColumns()).qty) };
    },
  };
  const fileNamed = async (name) => (await navigator.storage.getDirectory()).getFileHandle(name, { create: true });
  const bytesOf = async (handle) => Array.from(new Uint8Array(await (await handle.getFile()).arrayBuffer()));
  Object.assign(tasks, {
    async writeColumna(columns) {
      const sink = new columna.MemorySink();
      const { rowCount } = await columna.write(sink, columns);
      const handle = await fileNamed('written.cna');
      await columna.write(handle, columns, { overwrite: true });
      const { qty } = await columna.read(await handle.getFile());
      const blob = new Blob([sink.bytes()]);
      const found = (await columna.scan(blob, { where: 'qty == 3', columns: ['qty'] })).rowCount;
      return { rowCount, bytes: Array.from(sink.bytes()), stored: await bytesOf(handle), qty: sum(qty), found,
        path: await codeOf(columna.write('a.cna', columns)), again: await codeOf(columna.write(handle, columns)) };
    },
    async writeItems(count) {
      const bytes = [];
      const sink = new columna.MemorySink();
      const handle = await fileNamed('written.syr');
      for (const target of [sink, handle]) {
        const writer = await create(target, { overwrite: true });
        for (let i = 0; i < count; i++)
          await writer.addItem({ features: Float32Array.of(i, i + 0.5), label: Int32Array.of(i % 3) });
        await writer.close();
      }
      const file = await openItems(await handle.getFile());
      const label = Array.from((await file.getItem(2)).label);
      return { bytes: Array.from(sink.bytes()), stored: await bytesOf(handle), label,
        path: await codeOf(create('a.syr')), roll: await codeOf(create(sink, { roll: true })) };
    },
    async verifyDamaged() {
      const sink = new columna.MemorySink();
      await columna.write(sink, { qty: Int32Array.from({ length: 1000 }, (_, i) => (i * 7919) % 1000) });
      const bytes = sink.bytes();
      bytes[40] ^= 255;
      const { ok, problems } = await columna.verify(bytes);
      const cut = await columna.verify(bytes.subarray(0, -1));
      return [ok, problems.map(({ code }) => code), cut.ok];
    },
    async moved() {
      const sink = new columna.MemorySink();
      const writer = await create(sink);
      for (let i = 0; i < 5; i++) await writer.addItem({ label: Int32Array.of(i), none: new Int32Array(0) });
      await writer.close();
      const file = await openItems(sink.bytes());
      const items = [file.getItemSync(1), file.getItemSync(2), await file.getItem(3), await file.getItem(4)];
      structuredClone(items[0], { transfer: [items[0].label.buffer] });
      structuredClone(items[2], { transfer: [items[2].label.buffer] });
      return [...items, file.getItemSync(0)].map(({ label }) => (label.length === 0 ? 'moved' : label[0]));
    },
    async gone(name, isHeld) {
      const columns = { qty: Int32Array.from({ length: 100_000 }, (_, i) => i) };
      const handle = await fileNamed(name);
      const held = isHeld ? await handle.createSyncAccessHandle() : null;
      const locked = await (isHeld ? codeOf(colstore.write(handle, columns)) : null);
      held?.close();
      await colstore.write(handle, columns);
      const table = await colstore.open(await handle.getFile());
      await (await navigator.storage.getDirectory()).removeEntry(name);
      return { locked, read: await codeOf(table.toColumns()), write: await codeOf(colstore.write(handle, columns)),
        replace: await codeOf(create(handle, { overwrite: true })) };
    },
    async handlesRefused() {
      const handle = await fileNamed('refused');
      const columns = { label: Int32Array.of(2) };
      const told = (promise) => promise.then(() => 'none', ({ code, message }) => code + ': ' + message);
      return [await told(colstore.write(handle, columns)), await told(columna.write(handle, columns)),
        await told(create(handle))];
    },
    async twoWriters() {
      const columns = { label: Int32Array.of(2) };
      const handle = await fileNamed('two-writers');
      const again = { overwrite: true };
      const first = await create(handle, again);
      await first.addItem({ label: Int32Array.of(1) });
      const meanwhile = [await codeOf(colstore.write(handle, columns, again)),
        await codeOf(columna.write(handle, columns)), await codeOf(create(handle))];
      await first.close();
      const label = (await (await openItems(handle)).getItem(0)).label[0];
      const given = await create(handle, again);
      await given.abort();
      const afterwards = [await codeOf(columna.write(handle, columns, again)),
        await codeOf(columna.write(handle, columns))];
      await (await navigator.storage.getDirectory()).removeEntry('two-writers');
      return { meanwhile, label, afterwards };
    },
  });
`;

describe.skipIf(browser === null)(`in ${browser?.name ?? 'a browser'}`, () => {
  let program: BrowserProgram;
  const ranges: string[] = [];

  beforeAll(async () => {
    program = await browserProgram({
      browser: browser!,
      tasks: TASKS,
      bundling: {
        entryPoints: { 'syrah/loader-worker': 'syrah/loader-worker' },
        minify: true,
        external: ['apache-arrow'],
      },
      policies: { '/strict': STRICT },
      serve(request, response) {
        const file = FILES[request.url ?? ''];
        if (file !== undefined) sendRange(file, request.headers.range, response);
        return file !== undefined;
      },
    });
  });
  afterAll(async () => {
    await program.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function sendRange(bytes: Uint8Array, range: string | undefined, response: ServerResponse): void {
    ranges.push(range ?? 'whole');
    const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
    const start = first === '' ? Math.max(0, bytes.length - Number(last)) : Number(first ?? 0);
    const end = Math.min(bytes.length, first === '' || last === '' ? bytes.length : Number(last ?? bytes.length) + 1);
    response
      .writeHead(206, { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}`, etag: '"1"' })
      .end(bytes.subarray(start, end));
  }

  /** `what` is an expression that gives what is read. */
  const asked = (isWorker: boolean, task: string, ...what: string[]): Promise<unknown> =>
    program.evaluate(isWorker, task, what);
  const url = (name: string): string => `new URL('/${name}', location.href).href`;
  const blob = (name: string): string => `await (await fetch('/${name}')).blob()`;
  /** A test that writes to handles of files. */
  const handles = it.skipIf(browser?.hasWritableHandles === false);
  const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

  describe.each([
    ['the page', false],
    ['a worker', true],
  ] as const)('%s', (_, isWorker) => {
    it.each(['URL', 'Blob'])('reads, filters, groups and orders a .cstore file from a %s', async (kind) => {
      ranges.length = 0;
      const matching = price.filter((value, i) => qty[i] === 3 && value > 20);
      expect(await asked(isWorker, 'read', (kind === 'URL' ? url : blob)('a.cstore'))).toEqual({
        price: sum(price),
        qty: sum(qty),
        count: matching.length,
        text: matching.length,
        wrong: 'ERR_QUERY_TYPE',
        total: sum(price),
        rows: [
          { price: 24, qty: 96 % 13 },
          { price: 24, qty: 193 % 13 },
        ],
        preview: 6,
      });
      if (kind === 'URL') expect(ranges).not.toContain('whole');
      expect(program.faults).toEqual([]);
    });

    it('loads batches of a .syr file, with and without workers, as Node does', async () => {
      const { DataLoader, SyrahDataset } = await import('syrah');
      const dataset = await SyrahDataset.open(new Uint8Array(FILES['/a.syr'] ?? []), ['features', 'label']);
      const expected: unknown[] = [];
      for await (const [features, labels] of new DataLoader(dataset, { batchSize: 16, shuffle: true, seed: 7 })) {
        const { data, shape } = features as { data: Float32Array; shape: number[] };
        expected.push([shape.join(), sum(data), Array.from((labels as { data: Int32Array }).data)]);
      }
      expect(await asked(isWorker, 'load', url('a.syr'), '0')).toEqual(expected);
      expect(await asked(isWorker, 'load', url('a.syr'), '2')).toEqual(expected);
      expect(await asked(isWorker, 'load', blob('a.syr'), '0')).toEqual(expected);
      expect(program.faults).toEqual([]);
    });

    it('says what helps where there are no workers, as in a service worker', async () => {
      expect(await asked(isWorker, 'loadWithoutWorkers', url('a.syr'))).toMatch(/^ERR_READ worker: .*workers: 0/u);
    });

    handles('writes a .cna file to memory and to a file of its own', async () => {
      const given = `{
        qty: Int32Array.from({ length: 3000 }, (_, i) => i % 7),
        name: Array.from({ length: 3000 }, (_, i) => (i % 5 ? 'n' + (i % 50) : null)),
      }`;
      const { bytes, stored, ...others } = (await asked(isWorker, 'writeColumna', given)) as Record<string, number[]>;
      const qtys = Array.from({ length: 3000 }, (_row, i) => i % 7);
      const found = qtys.filter((value) => value === 3).length;
      expect(others).toEqual({ rowCount: 3000, qty: sum(qtys), found, path: 'ERR_FEATURE', again: 'ERR_EXISTS' });
      expect(stored).toEqual(bytes);
      // What a browser wrote, Node reads.
      const back = await readColumna(Uint8Array.from(bytes ?? []));
      expect(Array.from(back['qty'] as Int32Array)).toEqual(qtys);
      expect(back['name']).toEqual(qtys.map((_value, i) => (i % 5 === 0 ? null : `n${String(i % 50)}`)));
      expect(program.faults).toEqual([]);
    });

    handles('writes text in a .cna file as small as Node does', async () => {
      const given = `{ qty: Int32Array.from({ length: 3000 }, (_, i) => i % 7), note: ${JSON.stringify(NOTES)} }`;
      const { bytes } = (await asked(isWorker, 'writeColumna', given)) as { bytes: number[] };
      const sink = new MemorySink();
      await writeColumna(sink, { qty: Int32Array.from({ length: 3000 }, (_, i) => i % 7), note: NOTES });
      expect(bytes.length).toBeLessThan(sink.bytes().length * 1.1);
      expect(bytes.length).toBeLessThan(NOTES.join('').length / 3);
      expect((await readColumna(Uint8Array.from(bytes)))['note']).toEqual(NOTES);
      expect(program.faults).toEqual([]);
    });

    handles('writes a .syr file to memory and to a file of its own, with the bytes that Node writes', async () => {
      const { bytes, stored, ...others } = (await asked(isWorker, 'writeItems', '50')) as Record<string, number[]>;
      expect(others).toEqual({ label: [2], path: 'ERR_FEATURE', roll: 'ERR_ARGUMENT' });
      expect(Uint8Array.from(bytes ?? [])).toEqual(new Uint8Array(FILES['/a.syr'] ?? []));
      expect(stored).toEqual(bytes);
      expect(program.faults).toEqual([]);
    });

    it('verifies a damaged .cna file in a program whose names were made short', async () => {
      expect(await program.ask(isWorker, 'verifyDamaged')).toEqual([false, ['ERR_CRC'], false]);
    });

    it('an item whose buffer is transferred takes no other item along', async () => {
      expect(await program.ask(isWorker, 'moved')).toEqual(['moved', 2, 'moved', 4, 0]);
    });

    handles('tells of a handle whose file was removed or is held, and of a File that was removed', async () => {
      // Only workers have handles that hold a file, and those of WebKit's GTK port do not work.
      const isHeld = isWorker && browser!.engine !== 'webkit';
      expect(await program.ask(isWorker, 'gone', `gone-${String(isWorker)}`, isHeld)).toEqual({
        locked: isHeld ? 'ERR_LOCKED' : null,
        read: 'ERR_FILE_CHANGED',
        write: 'ERR_NOT_FOUND',
        replace: 'ERR_NOT_FOUND',
      });
    });

    handles('a file has one writer at a time, or is that of the last one', async () => {
      const isExclusive = browser!.engine === 'chromium';
      expect(await program.ask(isWorker, 'twoWriters')).toEqual({
        meanwhile: isExclusive ? ['ERR_LOCKED', 'ERR_LOCKED', 'ERR_LOCKED'] : ['none', 'ERR_EXISTS', 'ERR_EXISTS'],
        label: 1,
        afterwards: ['none', 'ERR_EXISTS'],
      });
    });

    handles('writes a .cstore file to memory and to a file of its own, with the bytes that Node writes', async () => {
      const path = join(folder, `node-${String(isWorker)}.cstore`);
      const columns = {
        price: Float64Array.from({ length: 3000 }, (_row, i) => i / 8),
        qty: Int32Array.from({ length: 3000 }, (_row, i) => i % 7),
      };
      writeSync(path, columns);
      const { bytes, ...others } = (await asked(isWorker, 'write')) as { bytes: number[] };
      expect(Uint8Array.from(bytes)).toEqual(new Uint8Array(readFileSync(path)));
      expect(others).toEqual({
        same: true,
        again: 'ERR_EXISTS',
        qty: sum(columns.qty),
        path: 'ERR_FEATURE',
        blob: sum(columns.qty),
      });
      expect(program.faults).toEqual([]);
    });
  });

  it.runIf(browser?.hasWritableHandles === false)('says so where handles are not written to', async () => {
    expect(await program.ask(true, 'handlesRefused')).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^ERR_FEATURE: .*MemorySink.*Blob.*Safari/u) as string),
    );
    expect(program.faults).toEqual([]);
  });

  it('says so where the rules of a page refuse the script of workers', async () => {
    expect(await program.askIn('/strict', 'loadByWorkers', '/a.syr')).toMatch(
      browser!.engine === 'firefox'
        ? /^ERR_READ worker: a loader worker could not be started: .*blocked by CSP/u
        : /^ERR_READ worker: a loader worker could not be started: .*TrustedScriptURL/u,
    );
    // Chromium prints it, too.
    expect(program.takeFaults()).toHaveLength(browser!.engine === 'chromium' ? 1 : 0);
  });
});
