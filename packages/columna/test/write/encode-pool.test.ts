// Worker threads give what this thread gives, in the order in which it is asked for, and tell errors as they are.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ArgumentError } from '@colkit/io';
import { WorkContext } from '@colkit/io/effects';
import { bundleForNode } from '@colkit/testkit/bundle-for-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { columnType } from '../../src/layout/column-type.ts';
import { fixedColumn, textColumn } from '../../src/write/values/column-values.ts';
import type { ColumnValues } from '../../src/write/values/column-values.ts';
import { ColumnPool } from '../../src/write/threads/column-pool.ts';
import { EncodePool } from '../../src/write/threads/encode-pool.ts';
import type { EncodedChunk } from '../../src/write/encode/encode-chunk.ts';
import { encodeRowGroup } from '../../src/write/encode/encode-row-group.ts';
import type { RowGroupOptions } from '../../src/write/encode/encode-row-group.ts';
import { ON_THIS_THREAD } from '../../src/write/threads/on-this-thread.ts';
import { groupThreads, tableThreads } from '../../src/write/threads/row-group-encoder.ts';

const CONTEXT = new WorkContext();

const folder = mkdtempSync(join(tmpdir(), 'columna-pool-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const script = { url: pathToFileURL(join(folder, 'encode-worker.mjs')) };
beforeAll(async () => {
  await bundleForNode(new URL('../../src/write/threads/encode-worker.ts', import.meta.url), folder);
}, 300_000);

const OPTIONS: RowGroupOptions = { mode: 'default', pageRows: 256, joint: true, encodings: new Map() };

function columns(seed: number): ColumnValues[] {
  const rows = 1000;
  const validity = Uint8Array.from({ length: Math.ceil(rows / 8) }, (_, i) => i * seed);
  // Part of a larger array, which is the caller's.
  const amounts = Float64Array.from({ length: rows + 20 }, (_, i) => ((i * seed) % 977) / 100).subarray(10, rows + 10);
  return [
    fixedColumn(columnType('float64'), amounts, null),
    fixedColumn(
      columnType('int64'),
      BigInt64Array.from({ length: rows }, (_, i) => BigInt(i * seed)),
      validity,
    ),
    textColumn(
      columnType('string'),
      Array.from({ length: rows }, (_, i) => (i % 5 === 0 ? null : `t${(i * seed) % 9}`)),
    ),
    textColumn(
      columnType('string'),
      Array.from({ length: rows }, (_, i) => `u${i * seed}`),
    ),
  ];
}

it('gives what this thread gives', async () => {
  const pool = new EncodePool(script, 2);
  try {
    const begun = [1, 2, 3, 4, 5].map((seed) => {
      const own = columns(seed);
      const action = pool.begin(own, OPTIONS);
      // The memory is copied at the call, and stays the caller's.
      (own[0] as { values: Float64Array }).values.fill(7);
      return action.run(CONTEXT);
    });
    const found = await Promise.all(begun);
    found.forEach((chunks, k) => expect(chunks).toEqual(encodeRowGroup(columns(k + 1), OPTIONS)));
  } finally {
    await pool.close();
  }
});

it.each([1, 3, 9])(
  'the columns of one row group, shared with %i more threads, are what this thread gives',
  async (more) => {
    const pool = new ColumnPool(script, more);
    // A text that is known by another one: together they have a joint dictionary.
    const places = Array.from({ length: 1000 }, (_, i) => `place ${(i * i) % 400}`);
    const areas = places.map((place) => `area ${place.length}${place.at(-1) ?? ''}`);
    const types = [columnType('string'), columnType('string')];
    const own = [...columns(2), ...[places, areas].map((texts, k) => textColumn(types[k] as (typeof types)[0], texts))];
    const joint = encodeRowGroup(own, OPTIONS);
    try {
      expect(joint).not.toEqual(encodeRowGroup(own, { ...OPTIONS, joint: false }));
      expect(await pool.begin(own, OPTIONS).run(CONTEXT)).toEqual(joint);
      expect(pool.begin(own, OPTIONS).runSync(CONTEXT)).toEqual(joint);
      expect(await pool.begin([], OPTIONS).run(CONTEXT)).toEqual([]);
      // Nothing of the caller's went to a thread.
      expect(encodeRowGroup(own, OPTIONS)).toEqual(joint);
    } finally {
      await pool.close();
    }
  },
);

const POOLS = [
  ['row groups', EncodePool],
  ['columns', ColumnPool],
] as const;

it.each(POOLS)('%s: tells an encoding that does not apply, and goes on', async (_, Pool) => {
  const pool = new Pool(script, 1);
  try {
    const wrong = pool.begin(columns(3), { ...OPTIONS, encodings: new Map([[0, 'AFFINE']]) }).run(CONTEXT);
    const right = pool.begin(columns(3), OPTIONS).run(CONTEXT);
    await expect(wrong).rejects.toBeInstanceOf(ArgumentError);
    await expect(wrong).rejects.toMatchObject({ code: 'ERR_VALUE', argument: 'encoding', found: 'AFFINE' });
    expect(await right).toHaveLength(4);
  } finally {
    await pool.close();
  }
});

it.each(POOLS)('%s: a thread that ends is an error of what it had', async (_, Pool) => {
  const ending = join(folder, 'ending.mjs');
  writeFileSync(
    ending,
    "import { workerData } from 'node:worker_threads'; workerData.port.on('message', () => process.exit(3));",
  );
  const pool = new Pool({ url: pathToFileURL(ending) }, 1);
  await expect(pool.begin(columns(1), OPTIONS).run(CONTEXT)).rejects.toThrow(/exit code 3/);
  await expect(pool.begin(columns(1), OPTIONS).run(CONTEXT)).rejects.toThrow(/exit code 3/);
  await pool.close();
});

it('small tables, the Sync form, and sources that were not built, need no threads', async () => {
  for (const threads of [tableThreads(1, 1e9), tableThreads(100, 1000), tableThreads(100, 1e9), groupThreads()]) {
    expect(await threads.encoder(1e9).run(CONTEXT)).toBe(ON_THIS_THREAD);
    expect(threads.encoder(1e9).runSync(CONTEXT)).toBe(ON_THIS_THREAD);
    expect(threads.ahead(ON_THIS_THREAD)).toBe(0);
    await threads.close().run(CONTEXT);
  }
});

it('encodes page by page on this thread, so that others get their turn', async () => {
  const values = Float64Array.from({ length: 1 << 17 }, (_, i) => Math.sin(i * i));
  const own = [1, 2, 3].map(() => fixedColumn(columnType('float64'), values, null));
  const options = { ...OPTIONS, pageRows: 1 << 14, joint: false };
  const bytesOf = (chunks: readonly EncodedChunk[]): Buffer =>
    Buffer.concat(chunks.flatMap(({ pages }) => pages.map(({ bytes }) => bytes)));
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const chunks = await ON_THIS_THREAD.begin(own, options).run(CONTEXT);
  isOver = true;
  expect(turns).toBeGreaterThan(2);
  expect(bytesOf(chunks).equals(bytesOf(encodeRowGroup(own, options)))).toBe(true);
});

const library = new URL('../../dist/index.js', import.meta.url).href;
const writing = `import { MemorySink, read, write } from ${JSON.stringify(library)};
  const sink = new MemorySink();
  await write(sink, { x: Float64Array.from({ length: 3e6 }, (_, i) => i) });
  console.log((await read(sink.bytes())).x.length);`;

it("writes on this thread where Node's permission model forbids others", () => {
  const flags = ['--experimental-permission', '--allow-fs-read=*', '--no-warnings', '--input-type=module'];
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', writing], { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: '3000000\n', stderr: '' });
}, 60_000);

const importing = `import { MemorySink, writeCsv } from ${JSON.stringify(library)};
  const { rowCount } = await writeCsv(Buffer.from('x,y\\n' + '12345678,0.5\\n'.repeat(3e6)), new MemorySink());
  console.log(rowCount);`;

it.each([
  ['writes', 0, writing],
  ['writes', 1, writing],
  ['imports', 0, importing],
  ['imports', 1, importing],
])(
  '%s where the system gives %i threads',
  (_, most, program) => {
    const preload = new URL('../../../testkit/src/few-threads.mjs', import.meta.url).href;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', preload, '--input-type=module', '-e', program],
      { encoding: 'utf8', env: { ...process.env, COLKIT_TEST_THREADS: String(most) } },
    );
    expect({ stdout, stderr }).toEqual({ stdout: '3000000\n', stderr: '' });
  },
  60_000,
);
