// create, appender, append: batches of any size and kind, nulls that come late, checkpoints, and what is in the way.
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { integerArbitrary } from '@colkit/testkit';
import fc from 'fast-check';
import { temporaryName } from '@colkit/io/durable';
import { typed } from '@colkit/table';
import { beforeEach, describe, expect, it } from 'vitest';
import { append, appendSync, appender, appenderSync, create, createSync, recover, writeSync } from '../../src/index.ts';
import type { Checkpoint, ColumnaWriter, CreateOptions, WriteInput } from '../../src/index.ts';
import { newFolders } from '../support/new-folders.ts';
import { readTable } from '../support/table.ts';

const newFolder = newFolders('stream');
let folder: string;
let path: string;
beforeEach(() => {
  ({ folder, path } = newFolder());
});

const read = () => readTable(new Uint8Array(readFileSync(path)));
const column = (name: string): (string | null)[] => read().columns.find((each) => each.name === name)!.values;
const batch = (start: number, rows: number): { n: Int32Array; t: string[] } => ({
  n: Int32Array.from({ length: rows }, (_, i) => start + i),
  t: Array.from({ length: rows }, (_, i) => `t${(start + i) % 10}`),
});

/** The same calls in both forms. */
const FORMS = {
  async: {
    create: (options: CreateOptions = {}) => create(path, options),
    appender: (options: CreateOptions = {}) => appender(path, options),
    append: (data: WriteInput) => append(path, data),
    write: (writer: ColumnaWriter, data: WriteInput) => writer.write(data),
    checkpoint: (writer: ColumnaWriter) => writer.checkpoint(),
    close: (writer: ColumnaWriter) => writer.close(),
    abort: (writer: ColumnaWriter) => writer.abort(),
  },
  sync: {
    create: async (options: CreateOptions = {}) => createSync(path, options),
    appender: async (options: CreateOptions = {}) => appenderSync(path, options),
    append: async (data: WriteInput) => appendSync(path, data),
    write: async (writer: ColumnaWriter, data: WriteInput) => writer.writeSync(data),
    checkpoint: async (writer: ColumnaWriter) => writer.checkpointSync(),
    close: async (writer: ColumnaWriter) => writer.closeSync(),
    abort: async (writer: ColumnaWriter) => writer.abortSync(),
  },
} as const;

describe.each(['async', 'sync'] as const)('%s', (name) => {
  const form = FORMS[name];

  it('gathers batches into row groups', async () => {
    const writer = await form.create({ rowGroupSize: 100 });
    for (let start = 0; start < 330; start += 30) await form.write(writer, batch(start, 30));
    expect([existsSync(path), writer.rowCount, writer.closed]).toEqual([false, 330, false]);
    const report = await form.close(writer);
    expect(report).toMatchObject({ rowCount: 330, rowGroupCount: 4, byteLength: readFileSync(path).length });
    expect(read().footer.rowGroups.map(({ rowCount }) => rowCount)).toEqual([100, 100, 100, 30]);
    expect(column('n')).toEqual(Array.from({ length: 330 }, (_, i) => String(i)));
    expect(column('t')).toEqual(batch(0, 330).t);
    expect(readdirSync(folder)).toEqual(['data.cna']);
    expect(await form.close(writer)).toEqual(report);
  });

  it('takes nulls that come late, and batches that are larger than a row group', async () => {
    const writer = await form.create({ rowGroupSize: 64 });
    await form.write(writer, { n: [1, 2, 3], t: ['a', 'b', 'c'] });
    await form.write(writer, {
      n: Array.from({ length: 200 }, (_, i) => (i % 3 === 0 ? null : i)),
      t: Array.from({ length: 200 }, (_, i) => (i % 5 === 0 ? null : 'x')),
    });
    await form.close(writer);
    expect(read().columns.map(({ nullable }) => nullable)).toEqual([true, true]);
    const bits = (value: number) => String(new BigUint64Array(Float64Array.of(value).buffer)[0]);
    expect(column('n')).toEqual(
      [1, 2, 3, ...Array.from({ length: 200 }, (_, i) => (i % 3 === 0 ? null : i))].map((value) =>
        value === null ? null : bits(value),
      ),
    );
    expect(column('t')).toEqual(['a', 'b', 'c', ...Array.from({ length: 200 }, (_, i) => (i % 5 === 0 ? null : 'x'))]);
  });

  it.each([{ checkpoints: 5n }, { durability: 5n }, { schema: null }, { schema: 'n' }])(
    'refuses %o',
    async (options) => {
      await expect((async () => form.create(options as never))()).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('checks every batch against the first, or the schema; a refused one leaves nothing', async () => {
    const writer = await form.create({
      schema: { n: 'int32', t: { dtype: 'string', nullable: false }, at: 'datetime64[ms]' },
    });
    const refused = async (data: WriteInput, code: string) =>
      expect((async () => form.write(writer, data))()).rejects.toMatchObject({ code });
    await refused({ n: [1.5], t: ['a'], at: [new Date(0)] }, 'ERR_VALUE');
    await refused({ n: [1], t: [null], at: [new Date(0)] }, 'ERR_VALUE');
    await refused({ n: [1], t: ['a'] }, 'ERR_SCHEMA');
    await form.write(writer, { n: [7], t: ['a'], at: [new Date(5)] });
    expect(writer.rowCount).toBe(1);
    await form.close(writer);
    expect(read().columns.map(({ name: each, type, nullable, values }) => [each, type, nullable, values])).toEqual([
      ['n', 'int32', false, ['7']],
      ['t', 'string', false, ['a']],
      ['at', 'datetime', false, ['5000']],
    ]);
    await expect((async () => form.write(writer, { n: [1], t: ['a'], at: [new Date(0)] }))()).rejects.toMatchObject({
      code: 'ERR_CLOSED',
    });
  });

  it('copies what it is given', async () => {
    const writer = await form.create();
    const n = Int32Array.of(1, 2, 3);
    const b = [Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)];
    await form.write(writer, { n, b });
    n.fill(9);
    for (const each of b) each.fill(9);
    await form.close(writer);
    expect([column('n'), column('b')]).toEqual([
      ['1', '2', '3'],
      ['01', '02', '03'],
    ]);
  });

  it('writes a file of no rows from a schema, and none without', async () => {
    const empty = await form.create({ schema: { n: 'int8' } });
    await form.close(empty);
    expect(read()).toMatchObject({ footer: { rowCount: 0 }, columns: [{ name: 'n', type: 'int8' }] });
    const none = await form.create({ overwrite: true });
    await expect((async () => form.close(none))()).rejects.toMatchObject({ code: 'ERR_SCHEMA' });
    await form.abort(none);
    expect(readdirSync(folder)).toEqual(['data.cna']);
  });

  it('makes checkpoints, by itself and when asked', async () => {
    const seen: Checkpoint[] = [];
    const writer = await form.create({ rowGroupSize: 50, onCheckpoint: (checkpoint) => seen.push(checkpoint) });
    expect(writer.lastCheckpoint).toBeNull();
    await form.write(writer, batch(0, 120));
    expect(seen.map(({ rowCount }) => rowCount)).toEqual([50]);
    expect(await form.checkpoint(writer)).toEqual({
      rowCount: 120,
      byteLength: readFileSync(`${path}.partial`).length,
    });
    expect(readTable(new Uint8Array(readFileSync(`${path}.partial`))).footer.rowCount).toBe(120);
    expect(await form.checkpoint(writer)).toEqual(seen.at(-1));
    await form.write(writer, batch(120, 5));
    await form.close(writer);
    expect(seen.map(({ rowCount }) => rowCount)).toEqual([50, 120, 125]);
    expect(read().footer.previousEnd).toBe(seen[1]!.byteLength);
    expect(column('n')).toEqual(Array.from({ length: 125 }, (_, i) => String(i)));
  });

  it('abort leaves nothing of a new file, and the checkpoints of an old one', async () => {
    const writer = await form.create({ rowGroupSize: 10 });
    await form.write(writer, batch(0, 100));
    await form.abort(writer);
    expect(readdirSync(folder)).toEqual([]);
    writeSync(path, batch(0, 10));
    const before = readFileSync(path);
    const more = await form.appender({ rowGroupSize: 10, checkpoints: 'never' });
    await form.write(more, batch(10, 40));
    await form.abort(more);
    expect(readFileSync(path).equals(before)).toBe(true);
    const third = await form.appender({ rowGroupSize: 10, checkpoints: 'never' });
    await form.write(third, batch(10, 40));
    await form.checkpoint(third);
    await form.write(third, batch(50, 40));
    await form.abort(third);
    expect(column('n')).toEqual(Array.from({ length: 50 }, (_, i) => String(i)));
  });

  it('appends again and again', async () => {
    writeSync(path, batch(0, 100), { rowGroupSize: 64, metadata: { a: 'b' } });
    for (let start = 100; start < 400; start += 75)
      expect(await form.append(batch(start, 75))).toMatchObject({ rowCount: start + 75 });
    expect(column('n')).toEqual(Array.from({ length: 400 }, (_, i) => String(i)));
    expect(column('t')).toEqual(batch(0, 400).t);
    expect(read().footer.rowGroups.map(({ rowCount }) => rowCount)).toEqual([250, 75, 75]);
    expect(read().footer.schema.metadata.get('a')).toBe('b');
    expect(readdirSync(folder)).toEqual(['data.cna']);
  });

  it('appends only what fits the columns, and nothing else changes', async () => {
    writeSync(path, { n: Int32Array.of(1), at: typed('datetime64[us]', [5n]) });
    const before = readFileSync(path);
    for (const [data, code] of [
      [{ n: [1.5], at: [new Date(0)] }, 'ERR_VALUE'],
      [{ n: [null], at: [new Date(0)] }, 'ERR_VALUE'],
      [{ n: [1] }, 'ERR_SCHEMA'],
    ] as const) {
      await expect((async () => form.append(data))()).rejects.toMatchObject({ code });
      expect(readFileSync(path).equals(before)).toBe(true);
    }
    await form.append({ n: [2], at: [new Date(1)] });
    expect([column('n'), column('at')]).toEqual([
      ['1', '2'],
      ['5', '1000'],
    ]);
    expect(readdirSync(folder)).toEqual(['data.cna']);
  });

  it('append cuts what a dead writer left, and refuses what it cannot read', async () => {
    await expect((async () => form.append(batch(0, 1)))()).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' });
    writeSync(path, batch(0, 10));
    const whole = readFileSync(path);
    writeFileSync(path, Buffer.concat([whole, new Uint8Array(1000).fill(0x31)]));
    await form.append(batch(10, 10));
    expect(column('n')).toEqual(Array.from({ length: 20 }, (_, i) => String(i)));
    writeFileSync(path, 'something else');
    await expect((async () => form.append(batch(0, 1)))()).rejects.toMatchObject({ code: 'ERR_MAGIC' });
    expect(readFileSync(path, 'utf8')).toBe('something else');
    const damaged = new Uint8Array(whole);
    damaged[damaged.length - 20]! ^= 1;
    writeFileSync(path, damaged);
    await expect((async () => form.append(batch(0, 1)))()).rejects.toMatchObject({ code: 'ERR_CRC' });
    expect(new Uint8Array(readFileSync(path))).toEqual(damaged);
    expect(readdirSync(folder)).toEqual(['data.cna']);
  });

  it('one writer at a time', async () => {
    writeSync(path, batch(0, 10));
    const first = await form.appender();
    for (const start of [() => form.appender(), () => form.create({ overwrite: true }), () => recover(path)])
      await expect(start()).rejects.toMatchObject({ code: 'ERR_LOCKED' });
    await form.close(first);
    await form.append(batch(10, 5));
    expect(column('n')).toHaveLength(15);
    await expect(form.create()).rejects.toMatchObject({ code: 'ERR_EXISTS' });
    writeFileSync(`${path}.partial`, '');
    rmSync(path);
    await expect(form.create()).rejects.toMatchObject({ code: 'ERR_EXISTS' });
    const replaced = await form.create({ overwrite: true });
    await form.write(replaced, batch(0, 1));
    await form.close(replaced);
    expect(readdirSync(folder)).toEqual(['data.cna']);
  });

  it('a lock of a dead process is taken over, and what those leave that die placing one goes', async () => {
    writeSync(path, batch(0, 10));
    const living = (): string => temporaryName('data.cna.lock');
    const dead = (): string =>
      living().replace(new RegExp(`-${String(process.pid)}-[0-9x]+-`, 'u'), `-${String(2 ** 22 + 1)}-1-`);
    const tagOf = (name: string): string => name.slice(name.indexOf('-') - 16, -'.tmp'.length);
    const lockOf = (name: string): string =>
      JSON.stringify({ host: 'any', pid: 1, tag: tagOf(name), purpose: 'write' });
    writeFileSync(`${path}.lock`, lockOf(dead()));
    await form.append(batch(10, 5));
    writeFileSync(`${path}.lock`, 'no lock of ours');
    writeFileSync(join(folder, dead()), '');
    writeFileSync(join(folder, dead()), lockOf(dead()));
    await form.append(batch(15, 5));
    expect(readdirSync(folder)).toEqual(['data.cna']);
    // What one that lives may be about to use stays.
    const others = living();
    writeFileSync(join(folder, others), '');
    await form.append(batch(20, 1));
    expect(readdirSync(folder).sort()).toEqual([others, 'data.cna']);
    rmSync(join(folder, others));
    for (const name of [living(), living().replace(/\.[0-9a-f]{16}-/u, '.0123456789abcdef-')]) {
      writeFileSync(`${path}.lock`, lockOf(name));
      await expect((async () => form.append(batch(0, 1)))()).rejects.toMatchObject({ code: 'ERR_LOCKED' });
    }
    expect(readdirSync(folder).sort()).toEqual(['data.cna', 'data.cna.lock']);
  });
});

it('calls that overlap take effect in order; a Sync call among them is refused', async () => {
  const writer = await create(path, { rowGroupSize: 10 });
  const calls = Array.from({ length: 20 }, (_, k) => writer.write(batch(k * 7, 7)));
  expect(() => writer.writeSync(batch(0, 1))).toThrow(/await/);
  await Promise.all(calls);
  await writer.close();
  expect(column('n')).toEqual(Array.from({ length: 140 }, (_, i) => String(i)));
});

it('disposal closes', async () => {
  {
    await using writer = await create(path);
    await writer.write(batch(0, 3));
  }
  expect(column('n')).toEqual(['0', '1', '2']);
  {
    using writer = appenderSync(path);
    writer.writeSync(batch(3, 3));
  }
  expect(column('n')).toHaveLength(6);
});

it('any batches, cut anywhere: the same rows', { timeout: 60_000 }, () => {
  const value = fc.option(
    fc.oneof(fc.integer({ min: -5, max: 1000 }), integerArbitrary(-(2n ** 31n), 2n ** 31n - 1n).map(Number)),
    { freq: 4 },
  );
  fc.assert(
    fc.property(
      fc.array(
        fc.array(fc.tuple(value, fc.option(fc.string({ maxLength: 4, unit: 'grapheme' }), { freq: 5 })), {
          maxLength: 40,
        }),
        { minLength: 1, maxLength: 8 },
      ),
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.nat(2)),
      (batches, rowGroupSize, between) => {
        const writer = createSync(path, {
          overwrite: true,
          rowGroupSize,
          durability: 'none',
          schema: { n: 'int32', t: 'string' },
        });
        batches.forEach((rows, k) => {
          writer.writeSync({ n: rows.map(([n]) => n), t: rows.map(([, t]) => t) });
          if (between[k] === 1) writer.checkpointSync();
        });
        writer.closeSync();
        const all = batches.flat();
        const bits = (n: number) => String(n >>> 0);
        expect(column('n')).toEqual(all.map(([n]) => (n === null ? null : bits(n))));
        expect(column('t')).toEqual(all.map(([, t]) => t));
      },
    ),
    { numRuns: 60 },
  );
});
