// Who keeps what alive, and how processes and workers end while gathers run.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { errorOf, hasNative, makeTable, mapBytes, native, runChild, temporaryPath } from './support.ts';

describe.skipIf(!hasNative)('mappings and windows', () => {
  test('closing while jobs run: they end well, and later ones are refused', async () => {
    const table = makeTable([100_000], [8]);
    const column = Int32Array.of(0);
    const rows = { kind: 'range', start: 99_999, step: -1, count: 100_000 } as const;
    const outs = Array.from({ length: 12 }, () => new Uint8Array(800_000));
    const jobs = outs.map((out) => native().gather(table.segments, column, rows, [out], null, 2));
    native().closeMapping(table.mapping);
    expect(errorOf(() => native().gatherSync(table.segments, column, rows, [outs[0]!], null, 0)).code).toBe(
      'ERR_CLOSED',
    );
    await Promise.all(jobs);
    for (const out of outs) {
      expect(out.subarray(0, 8)).toEqual(table.item(0, 99_999));
      expect(out.subarray(799_992)).toEqual(table.item(0, 0));
    }
  });

  test('a window survives closing', () => {
    const { mapping } = mapBytes(Uint8Array.from({ length: 10_000 }, (_, i) => i));
    const window = new Uint8Array(native().window(mapping, 5000, 10));
    native().closeMapping(mapping);
    expect(Array.from(window)).toEqual(Array.from({ length: 10 }, (_, i) => (5000 + i) & 255));
  });

  test('writing into a window reaches neither the file, nor a gather, nor another window', () => {
    const table = makeTable([1000], [8]);
    const all = table.bytes.length;
    const window = new Uint8Array(native().window(table.mapping, 0, all)).fill(1);
    const out = new Uint8Array(8000);
    native().gatherSync(
      table.segments,
      Int32Array.of(0),
      { kind: 'range', start: 0, step: 1, count: 1000 },
      [out],
      null,
      0,
    );
    expect(out.subarray(0, 8)).toEqual(table.item(0, 0));
    expect(new Uint8Array(native().window(table.mapping, 0, all))).toEqual(table.bytes);
    expect(new Uint8Array(readFileSync(table.path))).toEqual(table.bytes);
    expect(window.every((byte) => byte === 1)).toBe(true);
  });

  test('a mapping becomes shorter only where no segments were checked against its length', () => {
    const { mapping, segments, item } = makeTable([20_000], [8]);
    expect(errorOf(() => native().shrinkMapping(mapping, 100)).code).toBe('ERR_ARGUMENT');
    const out = new Uint8Array(8);
    const last = { kind: 'range', start: 19_999, step: 1, count: 1 } as const;
    native().gatherSync(segments, Int32Array.of(0), last, [out], null, 0);
    expect(out).toEqual(item(0, 19_999));
    const alone = mapBytes(new Uint8Array(10_000).fill(5)).mapping;
    native().shrinkMapping(alone, 100);
    expect(native().mappingByteLength(alone)).toBe(100);
    expect(errorOf(() => native().window(alone, 99, 2)).code).toBe('ERR_ARGUMENT');
  });

  test('an empty file is a mapping of no bytes', () => {
    const { mapping } = mapBytes(new Uint8Array(0));
    expect(native().mappingByteLength(mapping)).toBe(0);
    expect(native().window(mapping, 0, 0).byteLength).toBe(0);
    const segments = native().createSegments(mapping, Float64Array.of(0, 0), Int32Array.of(8), Float64Array.of(0));
    const none = [new Uint8Array(0)];
    native().gatherSync(segments, Int32Array.of(0), { kind: 'range', start: 0, step: 1, count: 0 }, none, null, 0);
    native().gatherSync(segments, Int32Array.of(0), new Int32Array(0), none, null, 0);
    native().gatherSync(segments, Int32Array.of(0), { kind: 'mask', mask: new Uint8Array(0), count: 0 }, none, null, 0);
    expect(
      errorOf(() => native().gatherSync(segments, Int32Array.of(0), Int32Array.of(0), [new Uint8Array(8)], null, 0))
        .code,
    ).toBe('ERR_INDEX_OUT_OF_RANGE');
    native().readSync(mapping, 0, new Uint8Array(0));
  });

  test('handles, jobs and windows that are collected', () => {
    expect(runChild('collected.mjs', [temporaryPath('column.bin')], { execArgv: ['--expose-gc'] })).toMatchObject({
      status: 0,
      stderr: '',
      stdout: 'done\n',
    });
  });

  test('index and mask arrays that another thread writes to', () => {
    expect(runChild('racing-arrays.mjs', [temporaryPath('column.bin')])).toMatchObject({
      status: 0,
      stderr: '',
      stdout: 'alive\n',
    });
  });
});

describe.skipIf(!hasNative)('the event loop', () => {
  test('turns while a gather runs', async () => {
    const table = makeTable([400_000], [8]);
    const rows = {
      kind: 'indices',
      indices: Int32Array.from({ length: 400_000 }, (_, i) => (i * 7919) % 400_000),
    } as const;
    let turns = 0;
    let settled = false;
    const jobs = Array.from({ length: 20 }, () =>
      native().gather(table.segments, Int32Array.of(0), rows, [new Uint8Array(3_200_000)], null, 0),
    );
    const all = Promise.all(jobs).then(() => (settled = true));
    while (!settled) {
      turns++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await all;
    expect(turns).toBeGreaterThan(1);
  });
});

describe.skipIf(!hasNative)('ends while gathers run', () => {
  test.each([
    ['exit', 7, ''],
    ['exit-later', 7, ''],
    ['natural', 0, 'settled 8\n'],
  ])('the process: %s', (way, status, stdout) => {
    expect(runChild('exit-busy.mjs', [temporaryPath('column.bin'), way])).toEqual({
      status,
      signal: null,
      stdout,
      stderr: '',
    });
  });

  test('the process: an uncaught error', () => {
    const result = runChild('exit-busy.mjs', [temporaryPath('column.bin'), 'throw']);
    expect(result).toMatchObject({ status: 1, signal: null });
    expect(result.stderr).toContain('on purpose');
  });

  test('workers: terminated, exiting, finishing, again and again', () => {
    const result = runChild('workers.mjs', [temporaryPath('column.bin')]);
    expect(result).toMatchObject({ status: 0, signal: null, stderr: '' });
    expect(result.stdout).toBe('alive, 0 live\n');
  });
});

test.skipIf(!hasNative)('a copy of bytes is read like a mapped file, has no windows, and goes with its handle', () => {
  const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * 31) % 256);
  const mapping = native().mapCopy(bytes);
  bytes.fill(0);
  expect([native().mappingByteLength(mapping), native().currentFileSize(mapping)]).toEqual([5000, 5000]);
  const out = new Uint8Array(100);
  native().readSync(mapping, 4900, out);
  expect(out).toEqual(Uint8Array.from({ length: 100 }, (_, i) => ((4900 + i) * 31) % 256));
  // Advice is for pages, which a copy shares with its neighbours.
  expect(native().advise(mapping, 'dontneed', 0, 5000)).toBe(true);
  native().readSync(mapping, 0, out);
  expect(out[1]).toBe(31);
  expect(errorOf(() => native().readSync(mapping, 4950, out)).code).toBe('ERR_ARGUMENT');
  expect(errorOf(() => native().window(mapping, 0, 10))).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'mapping' });
  expect(errorOf(() => native().mapCopy(new Uint8Array(0))).code).toBe('ERR_ARGUMENT');
  native().shrinkMapping(mapping, 1000);
  expect(native().mappingByteLength(mapping)).toBe(1000);
  native().closeMapping(mapping);
  expect(errorOf(() => native().mappingByteLength(mapping)).code).toBe('ERR_CLOSED');
});

test.skipIf(!hasNative || process.platform === 'win32')(
  'small files are read whole, and what is none is told',
  async () => {
    const folder = temporaryPath('small');
    mkdirSync(folder);
    const at = (name: string): string => join(folder, name);
    const bytes = Uint8Array.from({ length: 1024 }, (_, i) => 1 + ((i * 7) % 255));
    writeFileSync(at('ä b.bin'), bytes.subarray(0, 1003));
    writeFileSync(at('empty'), '');
    writeFileSync(at('full'), bytes);
    writeFileSync(at('large'), new Uint8Array(1025));
    execFileSync('mkfifo', [at('pipe')]);
    symlinkSync('ä b.bin', at('link'));
    const names = ['ä b.bin', 'empty', 'full', 'large', 'pipe', 'link', 'none', '.'];
    const paths = [...names.map(at), '', 'a'];
    const out = new Uint8Array(1024 * paths.length + 5);
    const lengths = new Int32Array(paths.length);
    await native().readSmallFiles(paths.join('\0'), out, lengths);
    expect([...lengths]).toEqual([1003, -1, 1024, -1, -1, 1003, -1, -1, -1, -1]);
    expect(out.slice(0, 1003)).toEqual(bytes.subarray(0, 1003));
    expect(out.slice(1008, 2032)).toEqual(bytes);
    expect(out.slice(2032, 3035)).toEqual(bytes.subarray(0, 1003));
    expect(out.slice(3035).every((byte) => byte === 0)).toBe(true);
    // All that there is room for.
    const full = Array.from({ length: 10 }, () => at('full')).join('\0');
    await native().readSmallFiles(full, out, lengths);
    expect([...lengths]).toEqual(Array.from({ length: 10 }, () => 1024));
    expect(out.slice(9 * 1024, 10 * 1024)).toEqual(bytes);
    await native().readSmallFiles(full, out.subarray(0, 10_239), lengths);
    expect([...lengths]).toEqual(Array.from({ length: 10 }, () => -1));
    // Advice: what is no file is nothing to it.
    expect(native().willReadFiles(paths.join('\0'), 512)).toBeUndefined();
    expect(errorOf(() => native().willReadFiles(full, 2 ** 21)).code).toBe('ERR_ARGUMENT');
    expect(errorOf(() => native().willReadFiles(['a'] as never, 1)).code).toBe('ERR_ARGUMENT');
    const refused = { code: 'ERR_ARGUMENT' };
    await expect(native().readSmallFiles('', out, new Int32Array(0))).rejects.toMatchObject(refused);
    await expect(native().readSmallFiles('a', out, lengths)).rejects.toMatchObject(refused);
    await expect(native().readSmallFiles(['a'] as never, out, lengths.subarray(1))).rejects.toMatchObject(refused);
  },
);
