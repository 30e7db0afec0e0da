// colkit/convert and colkit/inspect in a real browser: a file of every kind that somebody may drop becomes a table with
// the values that Node reads, and a table a file of every format with the bytes that Node writes; in the page and in a
// worker. Where the machine has none this says so. The packages that are read with (hyparquet, apache-arrow) are
// in the bundle, as in a page.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSync } from 'syrah';
import { MemorySink, open, read, write } from 'columna';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTable } from '../../src/convert.ts';
import { testBrowser } from '@colkit/testkit/browser';
import { browserProgram } from '../support/browser-program.ts';
import type { BrowserProgram } from '../support/browser-program.ts';
import { FORMATS, ROWS, sampleFiles, sampleTable } from '../support/any-table.ts';

const browser = testBrowser('the builds for browsers were not run in one');

const folder = mkdtempSync(join(tmpdir(), 'colkit-any-table-'));
const table = await sampleTable(join(folder, 'sample.cna'));
const files = new Map(await sampleFiles(table, folder));
const items = createSync(join(folder, 'items.syr'));
items.addItemSync({ a: Float32Array.of(1) });
items.closeSync();
files.set('items.syr', readFileSync(join(folder, 'items.syr')));
files.set('lz4.feather', readFileSync(new URL('../tables/golden/lz4.feather', import.meta.url)));
files.set('zstd-stream.arrow', readFileSync(new URL('../tables/golden/zstd-stream.arrow', import.meta.url)));
files.set('damaged.csv.gz', (files.get('sample.csv.gz') as Uint8Array).subarray(0, 900));

const TASKS = `
  import { identify, openTable, writeTable } from 'colkit/convert';
  const fileOf = async (name) => new File([await (await fetch('/files/' + name)).arrayBuffer()], name);
  const scratch = async (name) => (await navigator.storage.getDirectory()).getFileHandle(name, { create: true });
  // Text of a character a byte: lists are slow on their way out of the browser.
  const bytesOf = async (blob) => {
    const bytes = new Uint8Array(await blob.arrayBuffer());
    let text = '';
    for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
    return text;
  };
  const told = (error) => ({ name: error.constructor.name, code: error.code, message: error.message });
  const tasks = {
    async open(name, isScratch) {
      const file = await fileOf(name);
      const seen = [];
      const options = isScratch ? { scratch: await scratch(name + '.cna') } : {};
      const opened = await openTable(file, { ...options, onProgress: (each) => seen.push(each) });
      const rows = JSON.stringify(await opened.table.toRows({ json: true }));
      const one = await opened.table.where(opened.table.columnNames.includes('id') ? 'id == 5' : 'n == 1').count();
      const bytes = opened.imported === null ? null : await bytesOf(opened.source);
      opened.close();
      return { rows, one, bytes, format: opened.format, last: seen.at(-1), size: file.size,
        told: await identify(file), rowCount: opened.imported?.rowCount };
    },
    async refused(name) {
      const told = (error) => ({ code: error.code, message: error.message });
      return openTable(await fileOf(name)).then(() => 'opened', told);
    },
    async stopped(name) {
      const stopping = new AbortController();
      const handle = await scratch('stopped.cna');
      const opening = openTable(await fileOf(name),
        { scratch: handle, signal: stopping.signal, onProgress: () => stopping.abort(new Error('enough')) });
      const error = await opening.then(() => 'opened', (error) => error.message);
      return [error, (await handle.getFile()).size];
    },
    async write(format, names) {
      const { table } = await openTable(await fileOf('sample.cna'));
      const given = names === null ? table : table.select(names);
      const blob = await writeTable(given, format);
      const handle = await scratch('out.' + format);
      const { byteLength } = await writeTable(given, format, handle, { overwrite: true });
      const again = await writeTable(given, format, handle).then(() => 'written', ({ code }) => code);
      const stream = await writeTable(given, format, await (await scratch('stream.' + format)).createWritable());
      return { bytes: await bytesOf(blob), stored: await bytesOf(await handle.getFile()), byteLength, again,
        streamed: stream.byteLength };
    },
    async page(name) {
      const { inspectHtml } = await import('colkit/inspect');
      const opened = await openTable(await fileOf(name));
      return inspectHtml(opened.source, { name });
    },
    async handles(name) {
      const handle = await scratch('own-' + name);
      const stream = await handle.createWritable();
      await stream.write(await fileOf(name));
      await stream.close();
      const before = (await handle.getFile()).size;
      const url = URL.createObjectURL(await handle.getFile());
      const counts = [];
      for (const given of [handle, url, new URL(url)]) {
        const { table, close } = await openTable(given, { name });
        counts.push(await table.count());
        close();
      }
      URL.revokeObjectURL(url);
      const revoked = await openTable(url, { name }).then(() => 'opened', told);
      const replaced = [];
      for (const given of [handle, await handle.getFile()])
        replaced.push(await openTable(given, { scratch: handle }).then(() => 'opened', told));
      const kept = (await handle.getFile()).size === before;
      await (await navigator.storage.getDirectory()).removeEntry('own-' + name);
      return { counts, revoked, replaced, kept, gone: await openTable(handle).then(() => 'opened', told) };
    },
    async url(name) {
      const { table, format, close } = await openTable(new URL('/files/' + name, location.href));
      const count = await table.count();
      close();
      return [format, count];
    },
  };
`;

function serve({ url = '', headers: { range } }: IncomingMessage, response: ServerResponse): boolean {
  const file = files.get(url.replace('/files/', ''));
  if (file === undefined) return false;
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  const [start, end] = [Number(from ?? 0), Math.min(file.length, Number(to ?? file.length) + 1)];
  const headers = { 'content-range': `bytes ${start}-${end - 1}/${file.length}`, etag: '"1"' };
  response.writeHead(from === undefined ? 200 : 206, from === undefined ? {} : headers);
  response.end(file.subarray(start, end));
  return true;
}

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

interface Opened {
  readonly rows: string;
  readonly one: number;
  readonly bytes: string | null;
  readonly format: string;
  readonly told: string;
  readonly size: number;
  readonly rowCount?: number;
  readonly last?: { readonly rows: number; readonly bytes: number; readonly totalBytes: number };
}

describe.skipIf(browser === null)(`in ${browser?.name ?? 'a browser'}`, () => {
  let program: BrowserProgram;
  const hasHandles = browser?.hasWritableHandles === true;
  const isWebkit = browser?.engine === 'webkit';

  beforeAll(async () => {
    program = await browserProgram({
      browser: browser!,
      tasks: TASKS,
      serve,
      policies: { '/strict': "script-src 'self'" },
    });
  });
  afterAll(async () => {
    await program.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([...files.keys()].filter((name) => !/items|damaged/.test(name)))('opens %s in a worker', async (name) => {
    const isScratch = hasHandles && (name.endsWith('.parquet') || name.endsWith('.gz'));
    const found = (await program.ask(true, 'open', name, isScratch)) as Opened;
    const here = await openTable(new Blob([(files.get(name) as Uint8Array).slice()]), { name });
    const rows = JSON.parse(found.rows) as unknown[];
    expect(rows).toEqual(await here.table.toRows({ json: true }));
    expect([found.format, found.told]).toEqual([here.format, here.format]);
    expect([found.one, rows.length]).toEqual(name.startsWith('sample') ? [1, ROWS] : [1, 2]);
    expect(found.rowCount).toBe(here.imported?.rowCount);
    if (here.imported === null) expect(found.bytes).toBe(null);
    else {
      expect(found.last).toEqual({ rows: rows.length, bytes: found.size, totalBytes: found.size });
      // What was imported there, Node reads.
      expect(await (await open(bytesOf(found.bytes ?? ''))).toRows({ json: true })).toEqual(rows);
    }
    expect(program.faults).toEqual([]);
  });

  it('opens a dropped file in the page, and a URL by its ranges', async () => {
    const found = (await program.ask(false, 'open', 'sample.csv', hasHandles)) as Opened;
    expect(JSON.parse(found.rows)).toEqual(await table.toRows({ json: true }));
    expect(await program.ask(false, 'url', 'sample.cna')).toEqual(['cna', ROWS]);
    expect(await program.ask(true, 'url', 'sample.parquet')).toEqual(['parquet', ROWS]);
    expect(program.faults).toEqual([]);
  });

  it.skipIf(!hasHandles).each([true, false])(
    'takes handles and URLs of Blobs, and keeps the file it opens (worker: %s)',
    async (is) => {
      const exists = { code: 'ERR_EXISTS' };
      expect(await program.ask(is, 'handles', 'sample.csv')).toMatchObject({
        counts: [ROWS, ROWS, ROWS],
        revoked: { code: 'ERR_NOT_FOUND', message: expect.stringMatching(/^blob:http.*revoked/) as string },
        replaced: [exists, exists],
        kept: true,
        // WebKit gives an empty file in place of one that was removed.
        gone: {
          code: isWebkit ? 'ERR_TRUNCATED' : 'ERR_NOT_FOUND',
          message: expect.stringContaining('own-sample.csv') as string,
        },
      });
      // Chromium prints that there is no such Blob.
      expect(program.takeFaults().filter((fault) => !fault.includes('ERR_FILE_NOT_FOUND'))).toEqual([]);
    },
  );

  it.skipIf(!hasHandles).each(FORMATS)('writes %s with the bytes that Node writes', async (format) => {
    const names = format === 'cstore' ? ['id', 'big', 'ok', 'day'] : null;
    const found = (await program.ask(true, 'write', format, names)) as Record<string, number | string>;
    const bytes = bytesOf(found['bytes'] as string);
    expect(found['stored'] === found['bytes']).toBe(true);
    expect([found['byteLength'], found['streamed'], found['again']]).toEqual([
      bytes.length,
      bytes.length,
      'ERR_EXISTS',
    ]);
    const expected = Uint8Array.from(files.get(`sample.${format}`) as Uint8Array);
    if (format === 'cna') {
      // Of pages that are deflated, fflate makes other bytes than zlib.
      expect(await read(bytes)).toEqual(await read(expected));
      expect(bytes.length).toBeLessThan(expected.length * 1.1);
    } else expect(bytes).toEqual(expected);
    expect(program.faults).toEqual([]);
  });

  it.skipIf(!hasHandles)('writes a .cna file with the bytes that Node writes, where no page is deflated', async () => {
    const names = ['id', 'ok', 'day'];
    const { bytes } = (await program.ask(true, 'write', 'cna', names)) as { bytes: string };
    const sink = new MemorySink();
    await write(sink, table.select(names));
    expect(bytesOf(bytes)).toEqual(sink.bytes().slice());
  });

  it('refuses a .syr file by the package that reads it, and tells damage', async () => {
    expect(await program.ask(true, 'refused', 'items.syr')).toEqual({
      code: 'ERR_FEATURE',
      message: expect.stringMatching(/items\.syr: this is a \.syr file.*package syrah/) as string,
    });
    expect(await program.ask(true, 'refused', 'damaged.csv.gz')).toMatchObject({ code: 'ERR_TRUNCATED' });
    for (const name of hasHandles ? ['sample.jsonl', 'sample.parquet'] : [])
      expect(await program.ask(true, 'stopped', name)).toEqual(['enough', 0]);
    expect(program.faults).toEqual([]);
  });

  it('makes the page about a file, with its script', async () => {
    const html = (await program.ask(true, 'page', 'sample.csv')) as string;
    expect(html).toMatch(/<h1>sample\.csv<\/h1>[^]*predicate-form[^]*<script>[^]{20000}/);
    expect(html).not.toContain('INSPECTOR_PAGE');
    expect(program.faults).toEqual([]);
  });

  it('reads Parquet where a page may run no WebAssembly, but for what hyparquet does not decompress', async () => {
    files.set('zstd.parquet', readFileSync(new URL('../tables/golden/as-told-zstd.parquet', import.meta.url)));
    const { rows } = (await program.ask(false, 'open', 'sample.parquet', false)) as { rows: string };
    expect(await program.askIn('/strict', 'open', 'sample.parquet', false)).toMatchObject({ rows });
    // WebKit asks no policy about WebAssembly.
    if (isWebkit) return;
    expect(await program.askIn('/strict', 'refused', 'zstd.parquet')).toMatchObject({
      code: 'ERR_FEATURE',
      message: expect.stringMatching(/hyparquet-compressors.*WebAssembly/) as string,
    });
    expect(program.faults).toEqual([]);
  });
});
