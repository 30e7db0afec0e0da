// write and append of batches that come one after the other: the file of the whole table, nulls that come late, what is
// refused.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { MemorySink, append, appendSync, openSync, read, write, writeSync } from '../../src/index.ts';
import type { WriteInput } from '../../src/index.ts';

const ROWS = 1000;
const n = Int32Array.from({ length: ROWS }, (_, row) => row % 77);
const t = Array.from({ length: ROWS }, (_, row) => `t${String(row % 9)}`);

async function* pieces(size: number, closed: () => void = () => undefined): AsyncGenerator<WriteInput> {
  try {
    for (let row = 0; row < ROWS; row += size) {
      await Promise.resolve();
      yield { n: n.subarray(row, row + size), t: t.slice(row, row + size) };
    }
  } finally {
    closed();
  }
}

async function written(data: Parameters<typeof write>[1], options: Parameters<typeof write>[2] = {}) {
  const sink = new MemorySink();
  const report = await write(sink, data, options);
  return { bytes: sink.bytes(), report };
}

describe('batches', () => {
  it.each([1, 7, 300, ROWS])('of %i rows: the bytes of the whole table', async (size) => {
    const options = { rowGroupSize: 300 };
    const whole = await written({ n, t }, options);
    const progress: number[] = [];
    const told = { ...options, onProgress: (each: { writtenRows: number }) => progress.push(each.writtenRows) };
    const batches = await written(pieces(size), told);
    expect(batches.bytes).toEqual(whole.bytes);
    expect(batches.report).toEqual(whole.report);
    expect(progress).toEqual([300, 600, 900, 1000]);
  });

  it('nulls may come late, where no schema says that there are none', async () => {
    async function* late(): AsyncGenerator<WriteInput> {
      yield { x: [1, 2] };
      await Promise.resolve();
      yield { x: [null, 4] };
    }
    const { bytes } = await written(late());
    expect((await read(bytes, { nulls: 'array' }))['x']).toEqual([1, 2, null, 4]);
    const refusing = written(late(), { schema: [{ name: 'x', dtype: 'float64', nullable: false }] });
    await expect(refusing).rejects.toMatchObject({ code: 'ERR_VALUE' });
  });

  it('none of them: a schema says what the columns are', async () => {
    const none = (): AsyncIterable<WriteInput> => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
    });
    expect((await written(none(), { schema: { x: 'int32' } })).report.rowCount).toBe(0);
    await expect(written(none())).rejects.toMatchObject({ code: 'ERR_SCHEMA' });
  });

  it('are let go of where the writing fails, and have no Sync form', async () => {
    let isClosed = false;
    const onProgress = (): never => {
      throw new Error('enough');
    };
    const failing = written(
      pieces(10, () => (isClosed = true)),
      { rowGroupSize: 20, onProgress },
    );
    await expect(failing).rejects.toThrow('enough');
    expect(isClosed).toBe(true);
    expect(() => writeSync(new MemorySink(), pieces(1) as never)).toThrow(/which write\(\) also takes in batches/);
  });

  it.each(['first', 'second'])('an abort does not wait for a %s batch that never comes', async (which) => {
    async function* silent(): AsyncGenerator<WriteInput> {
      if (which === 'second') yield { x: [1] };
      await new Promise(() => undefined);
    }
    const stop = new AbortController();
    const writing = written(silent(), { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 5);
    await expect(writing).rejects.toThrow('enough');
  });

  it('an abort is told also where the batch that is waited for fails behind it', async () => {
    const stop = new AbortController();
    async function* failing(): AsyncGenerator<WriteInput> {
      yield { x: [1] };
      stop.abort(new Error('enough'));
      await Promise.resolve();
      throw new Error('late');
    }
    await expect(written(failing(), { signal: stop.signal })).rejects.toThrow('enough');
  });
});

describe('batches that are added to a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'columna-batches-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'log.cna');
  const start = async (): Promise<Buffer> => {
    await write(path, { n, t }, { rowGroupSize: 300, overwrite: true });
    return readFileSync(path);
  };

  it.each([1, 7, 300, ROWS])('of %i rows: the bytes of the whole table', async (size) => {
    await start();
    await append(path, { n, t }, { rowGroupSize: 300 });
    const whole = readFileSync(path);
    await start();
    expect((await append(path, pieces(size), { rowGroupSize: 300 })).rowCount).toBe(2 * ROWS);
    expect(readFileSync(path).equals(whole)).toBe(true);
    expect((await read(path))['t']).toEqual([...t, ...t]);
  });

  it('are all added or none', async () => {
    const before = await start();
    async function* failing(): AsyncGenerator<WriteInput> {
      yield* pieces(300);
      throw new Error('gone');
    }
    await expect(append(path, failing(), { rowGroupSize: 64 })).rejects.toThrow('gone');
    let isClosed = false;
    async function* odd(): AsyncGenerator<WriteInput> {
      try {
        yield* pieces(300);
        yield { n: ['x'], t: ['y'] };
        yield { n: [1], t: ['y'] };
      } finally {
        isClosed = true;
      }
    }
    await expect(append(path, odd(), { rowGroupSize: 64 })).rejects.toMatchObject({ code: 'ERR_VALUE' });
    expect(isClosed).toBe(true);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect((await append(path, Readable.from([]) as AsyncIterable<WriteInput>)).rowCount).toBe(ROWS);
    expect((await read(path))['n']).toEqual(n);
    expect(() => appendSync(path, pieces(1) as never)).toThrow(/which append\(\) also takes in batches/);
  });
});

it('batches of one file may have their texts as Arrow, as strings, in rows and in a table of a file', async () => {
  const { Dictionary, Int32, Table, Utf8, vectorFromArray } = await import('apache-arrow');
  const given = new MemorySink();
  await write(given, { s: ['f', null] });
  const batches = [
    new Table({ s: vectorFromArray(['a', null], new Utf8()) }),
    { s: ['b', null] },
    new Table({ s: vectorFromArray([null, 'c'], new Dictionary(new Utf8(), new Int32())) }),
    [{ s: 'd' }, { s: 'e' }],
    openSync(given.bytes()),
  ];
  for (const order of [batches, [...batches].reverse()]) {
    const sink = new MemorySink();
    await write(sink, Readable.from(order) as AsyncIterable<WriteInput>);
    const { s } = await read(sink.bytes());
    const expected = [
      ['a', null],
      ['b', null],
      [null, 'c'],
      ['d', 'e'],
      ['f', null],
    ];
    expect(s).toEqual((order === batches ? expected : expected.reverse()).flat());
  }
});
