// .cna: seeds of every encoding, type, mode and layout of the writer; and what users do with such a file beyond a
// table: scans, aggregates, groups, verify, inspect, recover, append.
import { isColkitError } from '@colkit/io';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { typed } from '@colkit/table';
import { inspectHtml } from 'colkit/inspect';
import { appendSync, inspect, openSync, open, read, recoverSync, scan, verify, writeSync } from 'columna';
import type { AggregateSpecs, WriteOptions } from 'columna';
import type { Recorder } from '../run/outcome.ts';
import { createRandom } from '@colkit/testkit/prng';
import type { Random } from '../run/random.ts';
import { mutateColumna } from './columna-mutate.ts';
import { choices, exerciseTable } from './exercise-table.ts';
import type { Choices } from './exercise-table.ts';
import { EDGE_FLOATS, EDGE_INTEGERS, cycle } from './format.ts';
import type { Format, Seed } from './format.ts';

const ROWS = 60;
const SMALL: WriteOptions = { rowGroupSize: 40, pageRows: 24 };
type Columns = Parameters<typeof writeSync>[1];

export const COLUMNA: Format = { name: 'columna', makeSeeds, mutate: mutateColumna, exercise, damages };

function everyType(rows: number): Columns {
  const integers = cycle(rows, EDGE_INTEGERS);
  const words = BigInt64Array.from(integers);
  const some = <T>(values: readonly T[], every: number): (T | null)[] =>
    values.map((value, row) => (row % every === 1 ? null : value));
  const bytes = Array.from({ length: rows }, (_, row) =>
    Uint8Array.from({ length: row % 5 }, (_, i) => (row * 7 + i) % 3),
  );
  return [
    [
      'bool',
      typed(
        'bool',
        some(
          integers.map((value) => (value & 1n) === 1n),
          7,
        ),
      ),
    ],
    ['i8', new Int8Array(words.buffer, 0, rows)],
    ['i16', new Int16Array(words.buffer, 0, rows)],
    ['i32', typed('int32', some(Array.from(new Int32Array(words.buffer, 0, rows)), 3))],
    ['i64', words],
    ['i64 null', typed('int64', some(integers, 5))],
    ['u8', new Uint8Array(words.buffer, 0, rows)],
    ['u16', new Uint16Array(words.buffer, 0, rows)],
    ['u32', new Uint32Array(words.buffer, 0, rows)],
    ['u64', new BigUint64Array(words.buffer)],
    ['f32', typed('float32', some(cycle(rows, EDGE_FLOATS).map(Math.fround), 4))],
    ['f64', Float64Array.from(cycle(rows, EDGE_FLOATS))],
    ['time', typed('datetime64[us]', some(cycle(rows, [0n, 1_704_067_200_000_000n, -62_135_596_800_000_000n]), 6))],
    ['text', some(cycle(rows, ['', 'a', 'é', '😀', 'paid', 'pending', 'a longer text of some characters']), 9)],
    ['bytes', typed('binary', some(bytes, 8))],
    ['nothing', typed('float64', new Array<null>(rows).fill(null))],
  ] as Columns;
}

/** Numbers that each encoding is for. */
function shapes(random: Random, rows: number): [string, unknown][] {
  let at = 0n;
  return [
    ['steps', Uint32Array.from({ length: rows }, (_, i) => 7 * i)],
    ['walk', BigInt64Array.from({ length: rows }, () => (at += BigInt(random.integer(9) - 4)))],
    ['runs', Int16Array.from({ length: rows }, (_, i) => Math.floor(i / 20) * 999)],
    ['skew', Uint16Array.from({ length: rows }, () => Math.floor(-Math.log(1 - random.number()) * 30))],
    [
      'outliers',
      Int32Array.from({ length: rows }, () => (random.integer(60) === 0 ? random.integer(2 ** 31) : random.integer(5))),
    ],
    [
      'prices',
      Float64Array.from({ length: rows }, (_, i) => (i % 50 === 0 ? Math.PI * i : random.integer(100_000) / 1000)),
    ],
    ['singles', Float32Array.from({ length: rows }, () => random.integer(5000) / 100)],
    [
      'flags',
      typed(
        'bool',
        Array.from({ length: rows }, () => random.integer(9) === 0),
      ),
    ],
    ['few', BigInt64Array.from({ length: rows }, () => random.pick([5n, 2n ** 60n, -7n]))],
  ];
}

/** Columns that determine each other, so that they share a dictionary. */
function joint(random: Random, rows: number): Columns {
  const routes = Array.from({ length: rows }, () => random.integer(11));
  return [
    ['origin', routes.map((route) => `airport ${String(route % 7)} of a town`)],
    ['destination', routes.map((route) => (route === 5 ? null : `airport ${String(route)} of another town`))],
    ['distance', Float64Array.from(routes, (route) => Math.sqrt(route))],
    ['delay', Int16Array.from({ length: rows }, () => random.integer(500))],
  ] as Columns;
}

function makeSeeds(folder: string): readonly Seed[] {
  const random = createRandom(12);
  const seeds: Seed[] = [];
  const add = (name: string, columns: Columns, options: WriteOptions = {}): void => {
    const path = join(folder, `seed-${String(seeds.length)}.cna`);
    writeSync(path, columns, { ...options, durability: 'none', overwrite: true });
    seeds.push({ name, bytes: new Uint8Array(readFileSync(path)) });
  };
  for (const mode of ['default', 'smallest', 'plain'] as const) {
    add(`types ${mode}`, everyType(ROWS), { ...SMALL, mode });
    add(`shapes ${mode}`, shapes(random, 240) as unknown as Columns, {
      ...SMALL,
      mode,
      rowGroupSize: 160,
      pageRows: 80,
    });
    add(`joint ${mode}`, joint(random, 300), { mode, rowGroupSize: 200, pageRows: 104 });
  }
  for (const encoding of ['PLAIN', 'DELTA', 'DICTIONARY', 'RLE', 'BITPACK', 'ENTROPY'] as const) {
    const columns = shapes(random, 200).filter(([name]) => ['steps', 'walk', 'runs', 'skew'].includes(name));
    add(`forced ${encoding}`, columns as unknown as Columns, {
      pageRows: 104,
      encodings: new Map(columns.map(([name]) => [name, encoding])),
    });
  }
  for (const encoding of ['ONPAIR', 'BLOCKS', 'MATCHES', 'FRONT'] as const) {
    const words = ['import os', 'return self', '', 'żółć', 'x = 0', '    '];
    const lines = Array.from({ length: 300 }, (_, row) => (row % 9 === 4 ? null : `${words[row % 6]} ${row % 70}`));
    add(`texts ${encoding}`, { lines } as unknown as Columns, { pageRows: 104, encodings: { lines: encoding } });
  }
  add('one row', everyType(1));
  add('no rows', { a: new Float64Array(0), b: [] as string[] }, { schema: { a: 'float64', b: 'string' } });
  const path = join(folder, `seed-${String(seeds.length)}.cna`);
  writeSync(path, { a: Int32Array.of(1, 2, 3), s: ['x', 'y', 'x'] }, { durability: 'none', overwrite: true });
  appendSync(path, { a: Int32Array.of(4, 5), s: ['z', 'x'] }, { durability: 'none' });
  seeds.push({ name: 'appended', bytes: new Uint8Array(readFileSync(path)) });
  return seeds;
}

async function exercise(recorder: Recorder, path: string, random: Random): Promise<void> {
  const step = recorder.step.bind(recorder);
  const options = { backend: recorder.backend };
  await step('open', async () => (await open(path, options)).close());
  await step('verify', async () => {
    const { ok, rowCount, pageCount, problems } = await verify(path, options);
    return [ok, rowCount, pageCount, problems.map(({ code }) => code)];
  });
  await step('inspect', () => inspect(path, options));
  await recoverCopy(recorder, path);
  const table = await recorder.opens('openSync', () => openSync(path, options));
  if (table === undefined) return;
  const asks = choices(random, table.schema, table.rowCount);
  try {
    await exerciseTable(recorder, table, random);
    if (table.rowCount <= 60_000) await exerciseScans(recorder, path, asks, table.columnNames);
  } finally {
    table.close();
  }
  if (table.rowCount <= 5000 && random.integer(4) === 0) {
    await step('explainChoices', () => inspect(path, { ...options, explainChoices: true }));
    await step('inspectHtml', () => inspectHtml(path, options));
  }
}

async function damages(path: string): Promise<ReadonlySet<string>> {
  return new Set((await verify(path, { backend: 'js' })).problems.map(({ code }) => code));
}

async function valueOrCode(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (isColkitError(error)) return error.code;
    throw error;
  }
}

async function exerciseScans(recorder: Recorder, path: string, asks: Choices, names: readonly string[]): Promise<void> {
  const step = recorder.step.bind(recorder);
  const options = { backend: recorder.backend };
  const { field, other } = asks;
  if (field === undefined || other === undefined) return;
  await step('read', () => read(path, { ...options, columns: [field.name] }));
  // Column by column: which of several damages is told first is nobody's promise.
  const unchecked = { ...options, verifyCrc: false, strings: 'dictionary' } as const;
  await step('read unchecked', async () => {
    const found: unknown[] = [];
    for (const name of names) found.push(await valueOrCode(() => read(path, { ...unchecked, columns: [name] })));
    return found;
  });
  for (const [number, where] of asks.predicates.entries()) {
    await step(`scan ${String(number)}`, async () => {
      const { columns, rowCount } = await scan(path, {
        ...options,
        where,
        columns: [field.name, other.name].filter((name, index, names) => names.indexOf(name) === index),
      });
      return [columns, rowCount];
    });
    for (const [name, spec] of Object.entries(aggregatesOf(other.name)))
      await step(`agg ${String(number)} ${name}`, () => scan(path, { ...options, where }).aggSync({ [name]: spec }));
    await step(`explain ${String(number)}`, () => scan(path, { ...options, where }).explain());
  }
  await step('agg all', () => scan(path, options).agg(aggregatesOf(other.name)));
  for (const [name, spec] of Object.entries(aggregatesOf(other.name))) {
    await step(
      `group ${name}`,
      async () =>
        (
          await scan(path, options)
            .groupBy(field.name)
            .agg({ [`${name} of it`]: spec })
        ).columns,
    );
  }
  await step(
    'group where',
    () =>
      scan(path, { ...options, where: asks.predicates[0] as never })
        .groupBy(field.name)
        .aggSync({ 'how many': 'count' }).columns,
  );
}

function aggregatesOf(name: string): AggregateSpecs {
  return {
    n: 'count',
    values: { count: name },
    sum: { sum: name },
    least: { min: name },
    most: { max: name },
    mean: { mean: name },
  };
}

/** What recovery makes of a copy, and whether it can be read then. */
async function recoverCopy(recorder: Recorder, path: string): Promise<void> {
  const copy = `${path}.copy.cna`;
  copyFileSync(path, copy);
  try {
    await recorder.step('recover', () => {
      const { status, rowCount, lostBytes } = recoverSync(copy);
      return [status, rowCount, lostBytes];
    });
    await recorder.step('recovered', () => {
      const table = openSync(copy, { backend: recorder.backend });
      table.close();
      return table.schema;
    });
  } finally {
    rmSync(copy, { force: true });
  }
}
