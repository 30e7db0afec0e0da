// Lazy tables as input of every asynchronous writer, over a source that has no Sync reads and with predicates that
// nobody has looked at yet. And: what a writer that nobody closed says.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleForNode } from '@colkit/testkit/bundle-for-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { append, appender, create, open, readSync, write, writeSync } from '../../src/index.ts';
import type { Table, WriteInput } from '../../src/index.ts';
import { writeTable } from '../support/table.ts';

const root = mkdtempSync(join(tmpdir(), 'columna-lazy-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let path: string;
let count = 0;
beforeEach(() => {
  path = join(root, `${count++}.cna`);
});

const ROWS = 1000;
const n = Int32Array.from({ length: ROWS }, (_, row) => (row * 7919) % ROWS);
const t = Array.from({ length: ROWS }, (_, row) => `t${row % 7}`);
const { bytes } = writeTable(
  [
    { name: 'n', type: 'int32', values: n },
    { name: 't', type: 'string', values: t },
  ],
  { rowGroupRows: 300 },
);
/** A Blob has no Sync reads. */
let remote: Table;
beforeAll(async () => {
  remote = (await open(new Blob([bytes as Uint8Array<ArrayBuffer>]))) as unknown as Table;
});

it('makes no strings of texts that it writes again', async () => {
  const texts = Array.from({ length: 4000 }, (_, row) => `text ${String((row * 7919) % 4001)}`);
  const from = join(root, 'texts.cna');
  await write(from, { few: texts.map((_, row) => `t${String(row % 7)}`), texts });
  const table = await open(from);
  const decode = vi.spyOn(TextDecoder.prototype, 'decode');
  try {
    await write(path, table);
    expect(decode.mock.calls.reduce((sum, [input]) => sum + (input?.byteLength ?? 0), 0)).toBeLessThan(
      4 * texts.length,
    );
  } finally {
    decode.mockRestore();
  }
  expect(readSync(path)['texts']).toEqual(texts);
});

const small = Array.from(n.keys()).filter((row) => n[row]! < 100);
const large = Array.from(n.keys()).filter((row) => n[row]! >= 950);
const numbers = (rows: readonly number[]) => rows.map((row) => n[row]!);
const written = (): number[] => Array.from(readSync(path, { columns: ['n'] })['n'] as Int32Array);

describe('a lazy table with a predicate, of a source without Sync reads', () => {
  const inputs: readonly [string, () => WriteInput][] = [
    ['a table', () => remote.where('n < 100')],
    [
      'an object of columns',
      () => ({ n: remote.where('n < 100').column('n'), t: remote.where('n < 100').column('t') }),
    ],
    [
      'a Map of columns',
      () =>
        new Map([
          ['n', remote.where('n < 100').column('n')],
          ['t', remote.where('n < 100').column('t')],
        ]) as unknown as WriteInput,
    ],
    [
      'pairs, one of them in memory',
      () =>
        [
          ['n', remote.where('n < 100').column('n')],
          ['t', small.map((row) => t[row]!)],
        ] as unknown as WriteInput,
    ],
  ];

  it.each(inputs)('%s is written, streamed and appended', async (_, input) => {
    await write(path, input());
    expect(written()).toEqual(numbers(small));
    expect(readSync(path)['t']).toEqual(small.map((row) => t[row]));
    await append(path, input());
    expect(written()).toEqual([...numbers(small), ...numbers(small)]);
    await using writer = await appender(path);
    await writer.write(input());
    expect(writer.rowCount).toBe(3 * small.length);
    await writer.close();
    expect(written()).toHaveLength(3 * small.length);
    rmSync(path);
    const fresh = await create(path);
    await fresh.write(input());
    await fresh.close();
    expect(written()).toEqual(numbers(small));
  });

  it('keeps the order of calls, also where nobody waits and the first says what the columns are', async () => {
    const writer = await create(path);
    const calls = [
      writer.write(remote.where('n < 100')),
      writer.write({ n: Int32Array.of(-1), t: ['x'] }),
      writer.write(remote.where('n >= 950')),
      writer.write({ n: Int32Array.of(-2), t: [null] }),
    ];
    const closed = writer.close();
    await Promise.all(calls);
    expect((await closed).rowCount).toBe(small.length + large.length + 2);
    expect(written()).toEqual([...numbers(small), -1, ...numbers(large), -2]);
  });

  it('is refused as any batch is, and leaves the writer as it was', async () => {
    const writer = await create(path, { schema: { n: 'int32' } });
    await writer.write({ n: Int32Array.of(5) });
    await expect(writer.write(remote.where('n < 100'))).rejects.toMatchObject({ code: 'ERR_SCHEMA' });
    await expect(writer.write(remote.select('t').where("t == 't3'") as unknown as WriteInput)).rejects.toMatchObject({
      name: expect.stringMatching(/ArgumentError|UnknownColumnError/) as string,
    });
    await writer.write(remote.where('n >= 950').select('n'));
    await writer.close();
    expect(written()).toEqual([5, ...numbers(large)]);
    for (const nothing of [null, undefined, 7, 'x'])
      await expect(write(path, nothing as unknown as WriteInput, { overwrite: true })).rejects.toMatchObject({
        name: 'ArgumentError',
      });
    const again = await appender(path);
    for (const nothing of [null, undefined, 7, 'x'])
      await expect(again.write(nothing as unknown as WriteInput)).rejects.toMatchObject({ name: 'ArgumentError' });
    await again.abort();
  });

  it('fails with what reading fails with, and stops where a signal says so', async () => {
    const broken = bytes.slice();
    broken[60]! ^= 255;
    const table = (await open(new Blob([broken as Uint8Array<ArrayBuffer>]))) as unknown as Table;
    await expect(write(path, table.where('n < 100'))).rejects.toMatchObject({ code: 'ERR_CRC' });
    expect(existsSync(path)).toBe(false);
    await expect(write(path, remote.where('n < 100'), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    const writer = await create(path);
    await expect(writer.write(table.where('n < 100'))).rejects.toMatchObject({ code: 'ERR_CRC' });
    await writer.write(remote.where('n < 100'));
    await writer.close();
    expect(written()).toEqual(numbers(small));
  });
});

describe('a writer that nobody closed', () => {
  let library: string;
  beforeAll(async () => {
    library = pathToFileURL(await bundleForNode(new URL('../../src/index.ts', import.meta.url), root)).href;
  }, 120_000);

  const warningsOf = (body: string): string => {
    const script = `import { appender, create, createSync } from ${JSON.stringify(library)};
      const path = ${JSON.stringify(path)};
      const collect = async () => {
        for (let k = 0; k < 20; k += 1) { gc(); await new Promise((resolve) => setTimeout(resolve, 5)); }
      };
      ${body}`;
    // The bundle lies where the addon is not, and warns the same without it.
    return spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '', COLKIT_BACKEND: 'js' },
    }).stderr;
  };
  const times = (text: string, part: string): number => text.split(part).length - 1;

  it('warns once when it is collected', () => {
    const text = warningsOf(
      'await (async () => { const writer = await create(path); await writer.write({ n: [1, 2] }); })(); await ' +
        'collect();',
    );
    expect(times(text, `ColumnaWriterLeak: ${path} was not written: its writer was never closed`)).toBe(1);
    expect(times(text, 'ColumnaWriterLeak')).toBe(1);
  });

  it('warns once at the end of the process, and of an old file says what it lacks', () => {
    writeSync(path, { n: [1, 2] });
    const before = readFileSync(path);
    const text = warningsOf('globalThis.writer = await appender(path); await writer.write({ n: [3] });');
    expect(
      times(text, `ColumnaWriterLeak: ${path} lacks the rows after its last checkpoint: its writer was never closed`),
    ).toBe(1);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('says nothing where it was closed, given up or disposed of, or where its failure was told', () => {
    expect(
      warningsOf(`
      await (async () => {
        for (let k = 0; k < 12; k += 1) {
          const writer = await create(path + k);
          await writer.write({ n: [1] });
          if (k % 3 === 0) await writer.close();
          else if (k % 3 === 1) await writer.abort();
          else await writer[Symbol.asyncDispose]();
        }
        const sync = createSync(path + 'sync', { schema: { n: 'int32' } });
        sync.closeSync();
        const failing = await create(path + 'failing', { onRowGroup() { throw new Error('no'); } });
        await failing.write({ n: [1] });
        await failing.checkpoint().catch(() => undefined);
      })();
      await collect();
    `),
    ).toBe('');
  });
});
