// Calls that are each awaited, one after another, as a handler of a server makes them: timers and other requests get
// their turn.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemorySink, open, read, write } from 'columna';
import type { Table } from 'columna';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'columna-event-loop-'));
const path = join(folder, 'films.cna');
let table: Table;

beforeAll(async () => {
  const rows = Array.from({ length: 100_000 }, (_, row) => row);
  await write(path, {
    film: Int32Array.from(rows, (row) => (row * 7919) % 9000),
    title: rows.map((row) => `The film of number ${String((row * 7919) % 9000)}`),
    genres: rows.map((row) => `Comedy|Drama|${String((row * 31) % 700)}`),
    rating: Float64Array.from(rows, (row) => (row % 10) / 2),
  });
  table = await open(path);
});
afterAll(() => {
  table.close();
  rmSync(folder, { recursive: true });
});

describe('a loop of short calls, each awaited, lets timers run', () => {
  const calls: Record<string, () => Promise<unknown>> = {
    count: () => table.where('film > 100').count(),
    'where, head': () => table.where('film == 1999').head(5).toColumns(),
    sum: () => table.column('film').sum(),
    groupBy: () => table.groupBy('genres').agg({ rows: 'count' }),
    take: () => table.take([1, 500, 7000]).toRows(),
    slice: () => table.slice(500, 510).toColumns(),
    'open in memory': async () => (await open(inMemory)).close(),
    'write to memory': () => write(new MemorySink(), { x: Int32Array.of(1, 2, 3) }),
    read: () => read(path, { columns: ['film'] }),
  };
  let inMemory: Uint8Array;
  beforeAll(async () => {
    const sink = new MemorySink();
    await write(sink, { x: Int32Array.of(1, 2, 3) });
    inMemory = sink.bytes();
  });

  it.each(Object.keys(calls))('%s', async (name) => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const start = performance.now();
    // Where nobody else gets a turn, the timer never runs, however long it takes.
    while (ticks < 2 && performance.now() - start < 3000) await calls[name]?.();
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(1);
  });
});
