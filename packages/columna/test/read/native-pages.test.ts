// Pages that the addon decodes, beside the same pages decoded in TypeScript: equal values for every encoding, and for
// damaged pages equal values or an error from both.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backendInfo, isColkitError, pageDecoder, setDefaultBackend } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { inspectSync, openSync, scan, scanSync } from '../../src/index.ts';
import { PageJobs } from '../../src/read/pages/jobs/page-jobs.ts';
import { samples } from '../support/samples.ts';
import { writeTable } from '../support/table.ts';
import type { TestColumn } from '../support/table.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-native-'));
const projectBackend = process.env['COLKIT_BACKEND'] === 'js' ? 'js' : 'native';
afterEach(() => {
  setDefaultBackend(projectBackend);
  vi.restoreAllMocks();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Damages of each file; a long run sets more. */
const DAMAGES = Number(process.env['COLKIT_DAMAGES'] ?? 1);

function saved(name: string, bytes: Uint8Array): string {
  const path = join(folder, `${name}.cna`);
  writeFileSync(path, bytes);
  return path;
}

function digest(result: object): string {
  const hash = createHash('sha256');
  const add = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    // At once: a hash takes a long text in the time of a few short ones.
    else if (Array.isArray(value) && value.every(isTextOrNull)) hash.update(JSON.stringify(value));
    else if (Array.isArray(value)) for (const each of value) add(each);
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) add(each);
    else hash.update(`${typeof value} ${String(value)};`);
  };
  add(result);
  return hash.digest('hex');
}

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

/** Everything in three forms, some rows, and an aggregate of each column: a digest, or the error's class. */
function outcome(path: string, backend: 'js' | 'native', verifyCrc: boolean): string[] {
  setDefaultBackend(backend);
  const tried = (make: () => object): string => {
    try {
      return digest(make());
    } catch (error) {
      if (!isColkitError(error)) throw error;
      return `error ${error.name}`;
    }
  };
  const seen: string[] = [];
  try {
    using table = openSync(path, { verifyCrc });
    const rows = Int32Array.from({ length: 50 }, (_, i) => (i * 7919) % table.rowCount);
    seen.push(
      tried(() => table.toColumnsSync({ nulls: 'bitmap' })),
      tried(() => table.toColumnsSync({ strings: 'dictionary', nulls: 'bitmap' })),
      tried(() => table.slice(1, -1).toColumnsSync()),
    );
    seen.push(tried(() => table.take(rows).toColumnsSync()));
    // Few of a page's rows, in any order and one of them twice; and a few behind each other.
    for (const first of [0, 7, 40]) {
      const few = [...rows.subarray(first, first + 3), rows[first] as number];
      seen.push(
        tried(() => table.take(few).toColumnsSync({ nulls: 'bitmap' })),
        tried(() => table.take(few.toSorted((a, b) => a - b)).toColumnsSync()),
        tried(() => table.slice(first, first + 5).toColumnsSync()),
      );
    }
    for (const { name, dtype } of table.schema) {
      seen.push(
        tried(() => ({
          result: scanSync(path, { columns: [name], where: `"${name}" is not null`, verifyCrc }).columns,
        })),
      );
      if (dtype !== 'binary') seen.push(tried(() => table.groupBy(name).aggSync({ count: 'count' })));
      if (!/^(u?int|float)/.test(dtype)) continue;
      for (const where of [`"${name}" > 7`, `"${name}" between -20 and 40.5`, `not "${name}" < 3`])
        seen.push(tried(() => table.where(where).select(name).toColumnsSync()));
      const by = table.schema.find((field) => field.dtype === 'string')?.name;
      if (by !== undefined)
        seen.push(
          tried(() =>
            scan(path, { verifyCrc })
              .groupBy(by)
              .aggSync({ sum: { sum: name } }),
          ),
        );
    }
  } catch (error) {
    if (!isColkitError(error)) throw error;
    seen.push(`error ${error.name}`);
  }
  return seen;
}

/**
 * The addon looks at whole pages: of a page that is damaged elsewhere, it may refuse rows that TypeScript decodes on
 * their own.
 */
function agrees(native: string, js: string, jsOfAll: string): boolean {
  return native === js || (native.startsWith('error') && jsOfAll.startsWith('error'));
}

describe.runIf(projectBackend === 'native')('pages in the addon', () => {
  it.each(samples().map((sample) => [sample.name, sample] as const))(
    '%s: gives what TypeScript gives, whole and damaged',
    (name, { columns, options }) => {
      const { bytes, reports } = writeTable(columns, options);
      const path = saved(name, bytes);
      const decoded = vi.spyOn(PageJobs.prototype, 'resultOf');
      expect(outcome(path, 'native', true)).toEqual(outcome(path, 'js', true));
      const isDecoded = decoded.mock.results.some(({ value }) => value !== null);
      expect(isDecoded, 'the addon decoded pages').toBe(reports.some(({ pages }) => pages.length > 0));
      decoded.mockRestore();
      const random = createRandom(bytes.length);
      for (let i = 0; i < DAMAGES; i++) {
        const damaged = bytes.slice();
        const at = 4 + random.integer(bytes.length - 12);
        damaged[at] = random.integer(256);
        const damagedPath = saved(`${name}-damaged`, damaged);
        const expected = outcome(damagedPath, 'js', false);
        const actual = outcome(damagedPath, 'native', false);
        expect(
          actual.map((each, way) => (agrees(each, expected[way]!, expected[0]!) ? expected[way] : each)),
          `byte ${at} set to ${damaged[at]}`,
        ).toEqual(expected);
      }
    },
  );

  it('decodes whole pages of every kind of number on its own', () => {
    const rows = 18_000;
    const random = createRandom(3);
    const below = (most: number): Int32Array => Int32Array.from({ length: rows }, () => random.integer(most));
    // 5 = a base-5 digit, 6 = a bit and a base-3 digit, 45 = two of base 3 and one of base 5 ...
    const columns: TestColumn[] = [2, 3, 5, 6, 12, 45, 100, 3000, 70_000, 2 ** 30].map((most) => ({
      name: `below ${most}`,
      type: 'int32',
      values: below(most),
      encoding: 'BITPACK',
    }));
    columns.push({
      name: 'gaps',
      type: 'datetime',
      values: BigInt64Array.from({ length: rows }, (_, i) => BigInt(i) * 60_000_000n + BigInt(random.integer(1000))),
      encoding: 'DELTA',
    });
    columns.push({
      name: 'wide',
      type: 'int64',
      values: BigInt64Array.from({ length: rows }, () => random.int64() >> 20n),
    });
    columns.push({
      name: 'prices',
      type: 'float64',
      values: Float64Array.from({ length: rows }, () => random.integer(1e9) / 100),
    });
    columns.push({
      name: 'single',
      type: 'float32',
      values: Float32Array.from({ length: rows }, () => random.integer(1e6) / 1000),
    });
    columns.push({
      name: 'skew',
      type: 'uint16',
      values: Uint16Array.from({ length: rows }, () => Math.floor(-Math.log(1 - random.number()) * 30)),
      encoding: 'ENTROPY',
    });
    const path = saved('large', writeTable(columns, { joint: false, pageRows: 16_384 }).bytes);
    const decoded = vi.spyOn(PageJobs.prototype, 'resultOf');
    using table = openSync(path);
    const native = digest(table.toColumnsSync());
    expect(decoded.mock.results.map(({ value }) => value === null)).toEqual(
      Array.from({ length: 2 * columns.length }, () => false),
    );
    expect(native).toBe(digest(Object.fromEntries(columns.map(({ name, values }) => [name, values]))));
    expect(outcome(path, 'native', true)).toEqual(outcome(path, 'js', true));
  });

  it('decodes joint codes once for all their columns, nulls among them', () => {
    // More than joint dictionaries look at before they are chosen.
    const rows = 40_000;
    const random = createRandom(11);
    const routes = Array.from({ length: 300 }, (_, i) => ({
      from: `A${i % 17}`,
      to: `B${i}`,
      miles: random.integer(3000) - 20,
      note: i % 5 === 0 ? null : `n${i % 3}`,
    }));
    const drawn = Array.from({ length: rows }, () => routes[Math.floor(300 * random.number() ** 3)]!);
    const columns: TestColumn[] = [
      { name: 'from', type: 'string', values: drawn.map(({ from }) => from) },
      { name: 'to', type: 'string', values: drawn.map(({ to }) => to) },
      { name: 'miles', type: 'int16', values: Int16Array.from(drawn, ({ miles }) => miles) },
      { name: 'note', type: 'string', values: drawn.map(({ note }) => note) },
    ];
    const path = saved('joint', writeTable(columns, { pageRows: 16_384 }).bytes);
    const groups = inspectSync(path).rowGroups;
    expect(groups.every(({ chunks }) => chunks.every(({ joint }) => joint))).toBe(true);
    const numbers = vi.spyOn(PageJobs.prototype, 'numbersOf');
    using table = openSync(path);
    const found = table.toColumnsSync();
    expect(numbers.mock.results.map(({ value }) => value === null)).toEqual([false, false, false]);
    expect(found).toEqual(
      Object.assign(Object.create(null), Object.fromEntries(columns.map(({ name, values }) => [name, values]))),
    );
    expect(outcome(path, 'native', true)).toEqual(outcome(path, 'js', true));
    for (const backend of ['native', 'js'] as const) {
      setDefaultBackend(backend);
      const matching = (where: string): number => scanSync(path, { columns: ['to'], where }).rowCount;
      const counted = (matches: (route: (typeof routes)[number]) => boolean): number => drawn.filter(matches).length;
      expect(matching("`from` == 'A3'")).toBe(counted(({ from }) => from === 'A3'));
      expect(matching("note == 'n1' and miles > 100")).toBe(counted(({ note, miles }) => note === 'n1' && miles > 100));
      expect(matching("not note == 'n1' and `to` != 'B7'")).toBe(
        counted(({ note, to }) => note !== null && note !== 'n1' && to !== 'B7'),
      );
      expect(matching("startsWith(`to`, 'B2')")).toBe(counted(({ to }) => to.startsWith('B2')));
    }
  });

  it('takes no more memory for the pages of many columns than a window has', () => {
    const rows = 65_536;
    const random = createRandom(7);
    const columns: TestColumn[] = Array.from({ length: 20 }, (_, i) => ({
      name: `c${i}`,
      type: 'int64',
      values: BigInt64Array.from({ length: rows }, () => random.int64() >> 24n),
      encoding: 'BITPACK',
    }));
    const path = saved('many', writeTable(columns, { joint: false }).bytes);
    const numbers = vi.spyOn(PageJobs.prototype, 'numbersOf');
    // The addon computes nothing, so that it only decodes.
    const where = columns.map(({ name }) => `${name} + 1 != 1`).join(' or ');
    const found = scanSync(path, { where }).columns as Readonly<Record<string, unknown>>;
    // Of the term's pages sixteen of half a megabyte; the other four are decoded in TypeScript.
    expect(numbers.mock.results.filter(({ value }) => value !== null)).toHaveLength(16);
    expect(digest(found)).toBe(digest(Object.fromEntries(columns.map(({ name, values }) => [name, values]))));
  });

  it('filters and sums columns of any number, and by terms of any number', () => {
    const rows = 3000;
    const random = createRandom(5);
    const columns: TestColumn[] = Array.from({ length: 150 }, (_, i) => ({
      name: `c${i}`,
      type: 'int32',
      values: Int32Array.from({ length: rows }, () => random.integer(1000)),
    }));
    columns.push({ name: 'text', type: 'string', values: Array.from({ length: rows }, (_, row) => `t${row % 7}`) });
    const path = saved('many-terms', writeTable(columns, { joint: false, pageRows: 1000 }).bytes);
    const sums = Object.fromEntries(columns.slice(0, 150).map(({ name }) => [name, { sum: name }]));
    const results = (['native', 'js'] as const).map((backend) => {
      setDefaultBackend(backend);
      const terms = columns.slice(0, 150).map(({ name }) => `${name} > 5`);
      const found = [
        scanSync(path, { where: 'c7 > 900' }),
        scanSync(path, { where: terms.slice(0, 70).join(' and '), columns: ['c3', 'text'] }),
      ];
      return [
        ...found.map(({ columns: each }) => digest(each as object)),
        digest(scan(path).groupBy('text').aggSync(sums).columns),
        found.map(({ rowCount }) => rowCount).join(),
      ];
    });
    expect(results[0]).toEqual(results[1]);
    expect(results[0]!.at(-1)).not.toContain('0,');
  });

  it('groups are in the order of first appearance, where some pages have nulls or are left to TypeScript', () => {
    const random = createRandom(21);
    for (let round = 0; round < 40; round++) {
      const pageRows = 8 * (4 + random.integer(12));
      const pages = 2 + random.integer(8);
      const kinds = 2 + random.integer(20);
      const withNulls = Array.from({ length: pages }, () => random.integer(3) === 0);
      // Values that are met first on late pages, so that an order of pages other than the file's shows.
      const keys = Array.from({ length: pages * pageRows }, (_, row) => {
        const page = Math.floor(row / pageRows);
        return withNulls[page]! && random.integer(4) === 0
          ? null
          : `g${(page * 3 + random.integer(kinds)) % (kinds + pages)}`;
      });
      const numbers = BigInt64Array.from(
        keys,
        () => (round % 2 === 0 ? 0n : 3002399751580331n) + BigInt(random.integer(3)),
      );
      const floats = Float64Array.from(keys, () => random.number() * 10 ** random.integer(20));
      const columns: TestColumn[] = [
        { name: 'key', type: 'string', values: keys },
        { name: 'n', type: 'int64', values: numbers },
        { name: 'f', type: 'float64', values: floats },
      ];
      const path = saved(
        'grouped',
        writeTable(columns, { pageRows, rowGroupRows: pageRows * Math.max(1, pages - 2) }).bytes,
      );
      const order = [...new Set(keys)];
      const rowsOf = new Map(order.map((key) => [key, 0]));
      const sums = new Map(order.map((key) => [key, 0n]));
      for (const [row, key] of keys.entries()) {
        rowsOf.set(key, rowsOf.get(key)! + 1);
        sums.set(key, sums.get(key)! + numbers[row]!);
      }
      const [native, js] = (['native', 'js'] as const).map((backend) => {
        setDefaultBackend(backend);
        const { columns: counted } = scan(path)
          .groupBy('key')
          .aggSync({ rows: 'count', sum: { sum: 'n' } });
        expect(counted, `${backend}, round ${round}`).toEqual({
          key: order,
          rows: [...rowsOf.values()],
          sum: [...sums.values()],
        });
        // Floats add up differently in another order.
        return digest(
          scan(path)
            .groupBy('key')
            .aggSync({ sum: { sum: 'f' }, mean: { mean: 'f' } }).columns,
        );
      });
      expect(native).toBe(js);
    }
  });

  it('ends in an error where the file is cut meanwhile, and where the caller gives up', async () => {
    const rows = 300_000;
    const { bytes } = writeTable(
      [{ name: 'x', type: 'float64', values: Float64Array.from({ length: rows }, (_, row) => row / 100) }],
      { pageRows: 1000 },
    );
    const path = saved('cut', bytes);
    using table = openSync(path);
    expect(table.toColumnsSync()['x']).toHaveLength(rows);
    const given = new AbortController();
    const aborted = table.toColumns({ signal: given.signal });
    given.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    truncateSync(path, 5000);
    for (const way of [
      () => table.toColumns(),
      () => table.where('x > 5').toColumns(),
      async () => table.toColumnsSync(),
    ])
      await expect(way()).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
  });

  it('uses as many threads as it is told', async () => {
    const path = saved('threads', writeTable([{ name: 'x', type: 'int32', values: Int32Array.of(1, 2, 3) }]).bytes);
    const seen: unknown[] = [];
    const { operation } = PageJobs.prototype;
    vi.spyOn(PageJobs.prototype, 'operation').mockImplementation(function (this: PageJobs) {
      const decoding = operation.call(this);
      return {
        run: (context) => (seen.push(context.workers), decoding.run(context)),
        runSync: (context) => (seen.push(context.workers), decoding.runSync(context)),
      };
    });
    using table = openSync(path);
    expect((await table.toColumns({ workers: 1 }))['x']).toEqual(Int32Array.of(1, 2, 3));
    expect(table.toColumnsSync({ workers: 2 })['x']).toEqual(Int32Array.of(1, 2, 3));
    expect(seen).toEqual([1, 2]);
  });

  it('counts the bytes of a page once, whoever decodes it', () => {
    const [sample] = samples().filter(({ name }) => name === 'orders-smallest');
    const path = saved('counted', writeTable(sample!.columns, sample!.options).bytes);
    const bytesRead = (backend: 'js' | 'native'): number => {
      setDefaultBackend(backend);
      return scanSync(path, { where: 'amount > 100' }).stats.bytesRead;
    };
    expect(bytesRead('native')).toBe(bytesRead('js'));
  });
});

it('is asked only where there is an addon and a mapping', () => {
  const path = saved('asked', writeTable([{ name: 'x', type: 'int32', values: Int32Array.of(1, 2, 3) }]).bytes);
  setDefaultBackend('js');
  using table = openSync(path);
  const decoded = vi.spyOn(PageJobs.prototype, 'resultOf');
  expect(table.toColumnsSync()).toEqual({ x: Int32Array.of(1, 2, 3) });
  expect(decoded).not.toHaveBeenCalled();
  expect(backendInfo().backend).toBe('js');
  expect(pageDecoder).toBeTypeOf('function');
});
