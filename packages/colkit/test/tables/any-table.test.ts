// openTable, writeTable and identify of colkit/convert in Node: every format both ways, what is told, what is refused.
import { gzipSync } from 'node:zlib';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createSync } from 'syrah';
import { read } from 'columna';
import { describe, expect, it } from 'vitest';
import { identify, openTable, writeTable } from '../../src/convert.ts';
import type { TableFormat } from '../../src/convert.ts';
import { FORMATS, ROWS, sampleFiles, sampleTable } from '../support/any-table.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();
const table = await sampleTable(folder.path('sample.cna'));
const rows = await table.toRows({ json: true });
const files = await sampleFiles(table, folder.path('.'));
const blobOf = (name: string): Blob => new Blob([(files.get(name) as Uint8Array).slice()]);
const textBlob = (text: string): Blob => new Blob([text]);

/** What a format keeps of a row. */
function kept(format: string, row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (format !== 'cstore') return { ...row };
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'price' && name !== 'name'));
}

describe.each([...FORMATS, 'csv.gz'])('%s', (ending) => {
  const format = ending.replace('.gz', '') as TableFormat;

  it('is told by its bytes and its name', async () => {
    expect(await identify(blobOf(`sample.${ending}`), { name: `sample.${ending}` })).toBe(format);
  });

  it('is a table with the same values, from a path, bytes and a Blob', async () => {
    for (const what of [folder.path(`sample.${format}`), files.get(`sample.${ending}`) as Uint8Array]) {
      const opened = await openTable(what, { name: `sample.${ending}` });
      expect(opened.format).toBe(format);
      expect(await opened.table.toRows({ json: true })).toEqual(rows.map((row) => kept(format, row)));
      opened.close();
    }
    const progress: { rows: number; bytes: number; totalBytes: number }[] = [];
    const blob = blobOf(`sample.${ending}`);
    const opened = await openTable(blob, { name: `x.${ending}`, onProgress: (each) => progress.push(each) });
    const isImported = format !== 'cna' && format !== 'cstore';
    expect(opened).toMatchObject({ byteLength: blob.size, rejectedCount: 0, notes: [] });
    expect(opened.imported?.rowCount).toBe(isImported ? ROWS : undefined);
    expect(progress.at(-1)).toEqual(isImported ? { rows: ROWS, bytes: blob.size, totalBytes: blob.size } : undefined);
    const ids = isImported ? Array.from((await read(opened.source))['id'] as Iterable<number | bigint>, Number) : [];
    expect(ids).toEqual(isImported ? rows.map(({ id }) => id) : []);
    if (!isImported) expect(opened.source).toBe(blob);
    opened.close();
  });
});

it.each(FORMATS)('%s: the same bytes to a path, a stream and a Blob', async (format) => {
  const given = format === 'cstore' ? table.drop('price', 'name') : table;
  const progress: number[] = [];
  const blob = await writeTable(given, format, undefined, { onProgress: ({ rows: done }) => progress.push(done) });
  expect(new Uint8Array(await blob.arrayBuffer())).toEqual(
    Uint8Array.from(files.get(`sample.${format}`) as Uint8Array),
  );
  expect(progress.at(-1)).toBe(ROWS);
  const chunks: Uint8Array[] = [];
  const stream = new WritableStream<Uint8Array>({ write: (chunk) => void chunks.push(chunk) });
  const { rowCount, byteLength } = await writeTable(given, format, stream);
  expect([rowCount, byteLength]).toEqual([ROWS, blob.size]);
  expect(Buffer.concat(chunks)).toEqual(Buffer.from(files.get(`sample.${format}`) as Uint8Array));
});

it('refuses a stream that somebody writes to', async () => {
  const stream = new WritableStream<Uint8Array>();
  stream.getWriter();
  await expect(writeTable(table, 'csv', stream)).rejects.toMatchObject({ code: 'ERR_ARGUMENT', argument: 'target' });
});

it('writes the rows of a view', async () => {
  const text = await (await writeTable(table.where('id == 5').select('id', 'ok'), 'csv')).text();
  expect(text).toBe('id,ok\n5,true\n');
});

it('text of any length gets a width in a .cstore file, and that is told', async () => {
  const { notes } = await writeTable(table.where('name is not null').select('name'), 'cstore', folder.path('u.cstore'));
  expect(notes).toEqual([{ column: 'name', note: 'text became U12' }]);
});

describe('an import', () => {
  const csv = 'n,t\n1,a\n2,b\nx,y,z\n3,c\n';

  it('goes to a scratch file, which is replaced', async () => {
    const scratch = folder.path('scratch.cna');
    for (const text of ['n\n1\n2\n', 'n\n7\n']) {
      const opened = await openTable(textBlob(text), { scratch });
      expect(opened.source).toBe(scratch);
      expect((await opened.table.toRows({ json: true })).length).toBe(text === 'n\n7\n' ? 1 : 2);
      opened.close();
    }
    expect(Array.from((await read(scratch))['n'] as BigInt64Array)).toEqual([7n]);
  });

  it('replaces no file of its own accord that is no .cna file, such as the one that is opened', async () => {
    const path = folder.path('own.csv');
    writeFileSync(path, 'n\n1\n');
    const handle = {
      name: 'own.csv',
      getFile: () => Promise.resolve(new File(['n\n1\n'], 'own.csv')),
      createWritable: () => Promise.reject(new Error('it was written to')),
    };
    const refused = { name: 'IoError', code: 'ERR_EXISTS' };
    await expect(openTable(path, { scratch: path })).rejects.toMatchObject(refused);
    await expect(openTable(await handle.getFile(), { scratch: handle })).rejects.toMatchObject(refused);
    await expect(openTable(handle, { scratch: handle })).rejects.toMatchObject(refused);
    expect(readFileSync(path, 'utf8')).toBe('n\n1\n');
    writeFileSync(path, '');
    expect((await openTable(textBlob('n\n1\n'), { scratch: path })).imported?.rowCount).toBe(1);
    const nothing = {} as { readonly name: string } as typeof handle;
    await expect(openTable(textBlob('n\n'), { scratch: nothing })).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
  });

  it('names the line that it cannot take, and leaves it out where it is told to', async () => {
    await expect(openTable(textBlob(csv))).rejects.toMatchObject({
      code: 'ERR_VALUE',
      message: expect.stringMatching(/line 4.*onError: 'skip'/) as string,
    });
    const { table: left, rejectedCount, rejected } = await openTable(textBlob(csv), { onError: 'skip' });
    expect([await left.count(), rejectedCount, rejected[0]?.line]).toEqual([3, 1, 4]);
  });

  it('reads the columns that are asked for', async () => {
    for (const name of ['sample.parquet', 'sample.arrow', 'sample.csv', 'sample.jsonl', 'sample.cna']) {
      const opened = await openTable(blobOf(name), { name, columns: ['ok', 'id'] });
      expect(opened.table.columnNames).toEqual(['ok', 'id']);
      await expect(openTable(blobOf(name), { name, columns: ['nope'] })).rejects.toThrow(/nope/);
    }
  });

  it('ends with a signal, and with what onProgress throws; nothing is left', async () => {
    for (const format of ['parquet', 'csv', 'json', 'arrow'] as const) {
      const name = `sample.${format}`;
      const scratch = folder.path(`stopped-${format}.cna`);
      const stopping = new AbortController();
      const stopped = openTable(blobOf(name), {
        name,
        scratch,
        signal: stopping.signal,
        onProgress: () => stopping.abort(),
      });
      const error: unknown = await stopped.catch((reason: unknown) => reason);
      expect([stopping.signal.aborted, error]).toEqual([true, stopping.signal.reason]);
      const failure = new Error('enough');
      const onProgress = (): never => {
        throw failure;
      };
      await expect(openTable(blobOf(name), { name, scratch, onProgress })).rejects.toBe(failure);
      expect(existsSync(scratch)).toBe(false);
    }
    expect(readdirSync(folder.path('.')).filter((name) => name.includes('stopped'))).toEqual([]);
  });
});

describe('what is no table', () => {
  it('a .syr file is told, and refused with the package that reads it', async () => {
    const path = folder.path('items.syr');
    const items = createSync(path);
    items.addItemSync({ a: Float32Array.of(1) });
    items.closeSync();
    expect(await identify(path)).toBe('syr');
    await expect(openTable(new Blob([readFileSync(path)]))).rejects.toMatchObject({
      code: 'ERR_FEATURE',
      message: expect.stringMatching(/\.syr file.*the package syrah/) as string,
    });
  });

  it.each([
    ['SQLite format 3\0', 'ERR_MAGIC', /an SQLite database/],
    ['', 'ERR_TRUNCATED', /an empty file/],
    ['\0\x01\x02', 'ERR_MAGIC', /other bytes/],
  ])('%j', async (text, code, message) => {
    const error = { name: 'CorruptFileError', code, message: expect.stringMatching(message) as string };
    await expect(identify(textBlob(text))).rejects.toMatchObject(error);
    await expect(openTable(textBlob(text))).rejects.toMatchObject(error);
  });
});

it.each([
  ['a\tb\n1\t2\n', '', 'tsv'],
  ['a,b\n1,2\n', '', 'csv'],
  ['a;b\n', 'x.tsv', 'tsv'],
  ['  [{"a":1}]', '', 'json'],
  ['\uFEFF{"a":1}\n', '', 'jsonl'],
  ['{"a":1}', 'https://host/x.json?token=1', 'json'],
])('text %j called %j is %s', async (text, name, format) => {
  expect(await identify(textBlob(text), { name })).toBe(format);
});

it('text that is compressed is told by its name', async () => {
  const bytes = gzipSync('{"a":1}\n');
  expect(await identify(bytes, { name: 'a.jsonl.gz' })).toBe('jsonl');
  expect(await (await openTable(bytes, { name: 'a.jsonl.gz' })).table.toRows({ json: true })).toEqual([{ a: 1 }]);
});

it.each(['csv', 'tsv'] as const)(
  'control characters in the first values: what writeTable wrote as %s',
  async (format) => {
    const blob = new Blob([`name${format === 'csv' ? ',' : '\t'}n\na\0b${format === 'csv' ? ',' : '\t'}1\n`]);
    const { table } = await openTable(blob, { name: `x.${format}` });
    expect(await table.toRows({ json: true })).toEqual([{ name: 'a\0b', n: 1 }]);
    // Other encodings, and what is no text, are refused as before.
    for (const bytes of [Buffer.from('name,n\na,1\n', 'utf16le'), Uint8Array.of(1, 2, 0xff, 0, 7), new Uint8Array(50)])
      await expect(openTable(new Blob([bytes]), { name: `x.${format}` })).rejects.toMatchObject({ code: 'ERR_MAGIC' });
  },
);

it('JSON lines of a table without rows are opened again', async () => {
  const empty = new Blob([]);
  const { table, format } = await openTable(empty, { name: 'x.jsonl', types: { n: 'int32' } });
  expect([format, table.columnNames, table.rowCount]).toEqual(['jsonl', ['n'], 0]);
  await expect(openTable(empty, { name: 'x.csv' })).rejects.toMatchObject({ code: 'ERR_TRUNCATED' });
  await expect(openTable(empty, { name: 'x.arrow' })).rejects.toMatchObject({ code: 'ERR_TRUNCATED' });
});
