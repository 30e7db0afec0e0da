// CSV in blocks, parsed ahead and out of order, against `readCsv`, which goes through it from the beginning to the end:
// the same columns, rows, rejected rows and errors, wherever blocks are cut.
import { parseDType } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyTypes } from '../../src/csv/blocks/block-parser.ts';
import { BlockParser, openCsv, readCsv } from '../../src/csv/index.ts';
import type { BlockLanes, BlockPlan, CsvOptions, CsvRows } from '../../src/csv/index.ts';
import type { Chunk } from '../../src/index.ts';
import { lastRowEnd } from '../../src/csv/file/row-cut.ts';
import { decodeChunk, readAll } from '../support/inputs.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * Blocks that are done in another order than they were begun in; what goes in and out could be sent to another thread.
 */
function lanesOf(plan: BlockPlan, ahead: number): BlockLanes {
  let turn = 0;
  return {
    ahead,
    sharesMemory: ahead > 1,
    parse: async (task) => {
      turn += 1;
      const sent = structuredClone(task);
      for (let wait = (turn * 7) % 5; wait > 0; wait -= 1) await Promise.resolve();
      return structuredClone(new BlockParser(plan).parse(sent));
    },
  };
}

function decode(info: DTypeInfo, chunk: Chunk, rowCount: number): unknown[] {
  if (chunk.kind !== 'utf8') return decodeChunk(info, chunk, rowCount);
  const { bytes, ends, codes, validity } = chunk;
  const texts = Array.from(ends, (end, text) =>
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(text === 0 ? 0 : ends[text - 1], end)),
  );
  return Array.from({ length: rowCount }, (_, row) => {
    if (validity !== null && ((validity[row >> 3]! >> (row & 7)) & 1) === 0) return null;
    return texts[codes === null ? row : codes[row]!];
  });
}

type Outcome =
  | { readonly error: string }
  | {
      readonly fields: unknown;
      readonly rejected: unknown;
      readonly rejectedCount: number;
      readonly values: Record<string, unknown[]>;
    };

async function inBlocks(
  bytes: Uint8Array,
  options: CsvOptions,
  windowBytes: number,
  ahead: number,
  expects = true,
): Promise<Outcome> {
  try {
    const file = await openCsv(bytes, options, windowBytes);
    const lanes = lanesOf(file.plan, ahead);
    if (expects) await file.expectTypes();
    const blocks: CsvRows[] = [];
    for await (const block of file.blocks(lanes)) blocks.push(block);
    const values: Record<string, unknown[]> = Object.create(null) as Record<string, unknown[]>;
    for (const { name } of file.fields) values[name] = [];
    const dtypes = file.fields.map(({ dtype }) => dtype);
    let rows = 0;
    for (const block of blocks) {
      expect(block.firstRow).toBe(rows);
      rows += block.rowCount;
      const kept =
        block.chunks !== null && dtypes.every((dtype, column) => dtype === block.dtypes?.[column])
          ? block.chunks
          : null;
      const again = await file.parse(block, dtypes, lanes);
      for (const [column, { name, dtype }] of file.fields.entries()) {
        const found = decode(parseDType(dtype), again[column]!, block.rowCount);
        if (kept !== null) expect(decode(parseDType(dtype), kept[column]!, block.rowCount)).toEqual(found);
        values[name]!.push(...found);
      }
    }
    expect(file.rowCount).toBe(rows);
    await file.close();
    return { fields: file.fields, rejected: file.rejected, rejectedCount: file.rejectedCount, values };
  } catch (error) {
    return { error: String(error) };
  }
}

async function fromStart(bytes: Uint8Array, options: CsvOptions): Promise<Outcome> {
  try {
    const csv = await readCsv(bytes, options);
    return { fields: csv.fields, rejected: csv.rejected, rejectedCount: csv.rejectedCount, values: await readAll(csv) };
  } catch (error) {
    return { error: String(error) };
  }
}

const CELLS = [
  '',
  '',
  '1',
  '-2',
  '0',
  '-0',
  '007',
  '+5',
  '1.5',
  '-0.25',
  '1.',
  '.5',
  '1e3',
  '123456789',
  '1234567890',
  '-123456789012345678',
  '9223372036854775807',
  '9223372036854775808',
  '12345.67890123',
  'nan',
  '-inf',
  'true',
  'FALSE',
  '2024-02-29',
  '2023-02-29',
  '2024-02-29T12:30',
  '1969-12-31 23:59:59.5Z',
  '9999-12-31T23:59:59.999999',
  '2024-01-01T00:00:00.1234567',
  '2024-1-1',
  'x',
  'priority',
  'call before',
  'é',
  'NA',
  '"x\ny"',
  '"x\r\ny"',
  '"a ""b"""',
  '""',
  '"1"',
  '"2024-02-29"',
  '"\n"',
  '"""\n"""',
];
const STRAY = ['5" pipe', '"broken"x', '"never closed', 'a"', '\r', 'a\rb'];
const column = fc.oneof(
  fc.constantFrom(...CELLS).map((cell) => [cell]),
  fc.subarray(CELLS, { minLength: 1, maxLength: 4 }),
  fc.subarray(['1', '-2', '', '0', '77'], { minLength: 1 }),
  fc.subarray(['1.5', '2', '', '-0.25'], { minLength: 1 }),
);
const files = fc
  .record({
    columns: fc.array(column, { minLength: 1, maxLength: 4 }),
    picks: fc.array(fc.nat(1000), { maxLength: 120 }),
    ends: fc.subarray(['\n', '\r\n', '\n\n'], { minLength: 1 }),
    faults: fc.array(fc.tuple(fc.nat(30), fc.constantFrom(...STRAY, '1,2,3,4,5,6')), { maxLength: 2 }),
    isCut: fc.boolean(),
  })
  .map(({ columns, picks, ends, faults, isCut }) => {
    const width = columns.length;
    const rows: string[] = [columns.map((_, number) => `c${String(number)}`).join(',')];
    for (let row = 0; row * width < picks.length; row += 1) {
      const fault = faults.find(([index]) => index === row);
      rows.push(
        fault === undefined
          ? columns
              .map((cells, number) => cells[(picks[(row * width + number) % picks.length] ?? 0) % cells.length])
              .join(',')
          : [fault[1], ...columns.slice(1).map(() => 'y')].join(','),
      );
    }
    const text = rows.map((row, number) => row + ends[number % ends.length]!).join('');
    return isCut ? text.replace(/\r?\n$/u, '') : text;
  });

describe('blocks', () => {
  it('are what the file is in one go, wherever they are cut and whatever is ahead', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(
        files,
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom<CsvOptions>(
          { onError: 'skip' },
          {},
          { onError: 'skip', nullWords: ['NA', '0', ''] },
          { onError: 'skip', types: { c0: 'int32' } },
          { onError: 'skip', types: { c0: 'string' } },
          { quote: null, onError: 'skip' },
          { onError: 'skip', types: { c0: 'S4' } },
        ),
        fc.boolean(),
        async (text, windowBytes, ahead, options, expects) => {
          const expected = await fromStart(bytesOf(text), options);
          expect(await inBlocks(bytesOf(text), options, windowBytes, ahead, expects)).toEqual(expected);
          if ('values' in expected) taken += 1;
        },
      ),
      { numRuns: 1000 },
    );
    expect(taken).toBeGreaterThan(300);
  });

  it('cut inside quotes, between CR and LF, and in the middle of a character: every size of block', async () => {
    const text = 'a,b\r\n1,"x\r\ny"\r\n2,"""\n"\r\n3,é\r\n4,"1,2\n3,4\n5,6"\r\n5,"q"z\r\n6\r\n7,"\n\n"\r\n';
    const expected = await fromStart(bytesOf(text), { onError: 'skip' });
    expect(expected).toMatchObject({ rejectedCount: 2, rejected: [{ line: 10 }, { line: 11 }] });
    for (let windowBytes = 1; windowBytes <= text.length + 1; windowBytes += 1) {
      for (const ahead of [1, 2, 5])
        expect(await inBlocks(bytesOf(text), { onError: 'skip' }, windowBytes, ahead)).toEqual(expected);
    }
  });

  it('a wrong guess is found out: quotes that are text, in every block', async () => {
    const cellOf = (row: number): string => (row % 7 === 3 ? '5" pipe' : row % 11 === 5 ? '"x\n0,0\ny"' : 'z');
    const text = `a,b\n${Array.from({ length: 60 }, (_, row) => `${String(row)},${cellOf(row)}\n`).join('')}`;
    const expected = await fromStart(bytesOf(text), {});
    for (const windowBytes of [3, 10, 17, 40, 64, 100])
      expect(await inBlocks(bytesOf(text), {}, windowBytes, 4)).toEqual(expected);
  });

  it('the first rejected row stops the import, whichever block is done first', async () => {
    const text = `a\n${'1\n'.repeat(50)}x\n${'1\n'.repeat(10)}y\n`;
    const outcome = await inBlocks(bytesOf(text), { types: { a: 'int8' } }, 8, 5);
    expect(outcome).toMatchObject({
      error: expect.stringMatching(/line 52: expected int8 in column "a" but found "x"/u) as string,
    });
  });

  it('types that become wider are parsed as such from then on', async () => {
    const text = `a,b\n${'1,2024-01-01\n'.repeat(30)}${'1.5,2024-01-01T10:00\n'.repeat(30)}${'x,\n'.repeat(30)}`;
    const file = await openCsv(bytesOf(text), {}, 64);
    await file.expectTypes();
    const seen: string[] = [];
    for await (const { dtypes, chunks } of file.blocks(lanesOf(file.plan, 2)))
      if (chunks !== null) seen.push(dtypes!.join(' '));
    expect([...new Set(seen)]).toEqual(['string datetime64[us]']);
    // A sample of the beginning alone.
    const long = await openCsv(
      bytesOf(`a\n${'1\n'.repeat(2 ** 18)}${'1.5\n'.repeat(5000)}${'x\n'.repeat(8)}`),
      {},
      4096,
    );
    await long.expectTypes();
    const types: string[] = [];
    for await (const { dtypes, chunks } of long.blocks(lanesOf(long.plan, 2)))
      if (chunks !== null && types.at(-1) !== dtypes![0]) types.push(dtypes![0]!);
    expect(types).toEqual(['int64', 'float64']);
    expect(long.fields).toEqual([{ name: 'a', dtype: 'string', nullable: false }]);
  });

  it('a column without values so far is what its first value says', async () => {
    const file = await openCsv(bytesOf(`a,b\n${'1,\n'.repeat(2 ** 18)}${'1,7\n'.repeat(6000)}`), {}, 4096);
    await file.expectTypes();
    const types: string[] = [];
    for await (const { dtypes, chunks } of file.blocks(lanesOf(file.plan, 2)))
      if (chunks !== null && types.at(-1) !== dtypes![1]) types.push(dtypes![1]!);
    expect(types).toEqual(['string', 'int64']);
    expect(file.fields[1]).toEqual({ name: 'b', dtype: 'int64', nullable: true });
  });

  it('of thousands of columns have some dozen rows, and types are expected before the first one', async () => {
    const columns = Array.from({ length: 4000 }, (_, column) => column);
    const line = (row: number): string =>
      columns.map((column) => (column % 2 === 0 ? String(row * column) : `text ${String(row % 7)}`)).join(',');
    const text = [
      columns.map((column) => `c${String(column)}`).join(','),
      ...Array.from({ length: 150 }, (_, row) => line(row)),
    ];
    const file = await openCsv(bytesOf(text.join('\n')));
    await file.expectTypes();
    const rowCounts: number[] = [];
    for await (const { chunks, rowCount } of file.blocks(lanesOf(file.plan, 2))) {
      expect(chunks?.length).toBe(4000);
      rowCounts.push(rowCount);
    }
    expect(rowCounts.reduce((sum, count) => sum + count, 0)).toBe(150);
    expect(rowCounts.length).toBeLessThan(10);
    await file.close();
  });

  it('a row that is longer than a block', async () => {
    const text = `a,b\n1,"${'x\n'.repeat(5000)}"\n2,y\n`;
    expect(await inBlocks(bytesOf(text), {}, 16, 3)).toEqual(await fromStart(bytesOf(text), {}));
  });
});

describe('where a block can end', () => {
  it.each([
    ['', 0],
    ['abc', 0],
    ['a\nb', 2],
    ['a\n', 2],
    ['a\n"b\nc', 2],
    ['a\n"b\nc"\nd', 8],
    ['"a\nb', 0],
    ['\n"\n"\n"\n', 5],
  ])('%j: %i', (text, end) => {
    expect(lastRowEnd(bytesOf(text), 34)).toBe(end);
  });

  it('is where it is found byte by byte', () => {
    const bytesAmong = fc.array(fc.constantFrom(34, 10, 162, 35, 98), { maxLength: 50 });
    fc.assert(
      fc.property(bytesAmong, fc.nat(8), (values, offset) => {
        const bytes = new Uint8Array(values.length + offset).subarray(offset);
        bytes.set(values);
        const isWhole = (end: number): boolean => values.slice(0, end).filter((byte) => byte === 34).length % 2 === 0;
        const ends = values.flatMap((byte, index) => (byte === 10 && isWhole(index + 1) ? index + 1 : []));
        expect(lastRowEnd(bytes, 34)).toBe(ends.at(-1) ?? 0);
      }),
      { numRuns: 2000 },
    );
  });

  it('without quotes, the last line break', () => {
    expect(lastRowEnd(bytesOf('a\n"b\nc'), -1)).toBe(5);
  });

  it('is found as soon whether there are line breaks in a text that is cut or not', () => {
    const cost = (line: string): number => {
      const bytes = bytesOf(`a\n"${line.repeat(1 << 20)}`);
      const rounds = Array.from({ length: 5 }, () => {
        const start = process.cpuUsage();
        expect(lastRowEnd(bytes, 34)).toBe(2);
        const { user, system } = process.cpuUsage(start);
        return user + system;
      });
      return Math.min(...rounds);
    };
    const without = cost('xyz');
    // A look at each line by itself takes sixty times as long.
    expect(cost('xy\n')).toBeLessThan(10_000 + 5 * without);
  });
});

describe('a block that is parsed as what it is expected to be', () => {
  const plan = (name: string): BlockPlan => ({
    dialect: { separator: 44, quote: 34 },
    cellCount: 2,
    columns: [
      { name, cell: 0, given: null },
      { name: 'other', cell: 1, given: null },
    ],
    nullWords: [new Uint8Array(0)],
    onError: 'stop',
  });
  const dtypes = ['bool', 'int64', 'float64', 'datetime64[D]', 'datetime64[us]', 'string'] as const;

  it('tells the same of its columns as one that is only looked at, and has chunks where they fit', () => {
    let fitting = 0;
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...CELLS), { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(2), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...dtypes),
        (cells, picks, dtype) => {
          const bytes = bytesOf(picks.map((pick) => `${cells[pick % cells.length]!},z\n`).join(''));
          const parser = new BlockParser(plan('a'));
          const looked = parser.parse({ bytes, final: true, dtypes: null, types: anyTypes(2) });
          const parsed = parser.parse({ bytes, final: true, dtypes: [dtype, 'string'], types: anyTypes(2) });
          const expected = looked.facts[0]!;
          expect({ ...parsed.facts[0]!, longest: 0 }).toEqual({ ...expected, longest: 0 });
          const bit = [1, 2, 4, 8, 16, 0][dtypes.indexOf(dtype)]!;
          expect(parsed.chunks !== null).toBe(dtype === 'string' || !expected.hasValue || (expected.types & bit) !== 0);
          if (parsed.chunks !== null && dtype !== 'string') fitting += 1;
        },
      ),
      { numRuns: 5000 },
    );
    expect(fitting).toBeGreaterThan(300);
  });

  it('many distinct texts, few of them, and long ones', () => {
    for (const count of [10, 2047, 2048, 2049, 5000, 70_000]) {
      for (const repeats of [1, 3]) {
        const texts = Array.from(
          { length: count * repeats },
          (_, row) => `${'long text '.repeat(row % 3)}${String(row % count)}`,
        );
        const bytes = bytesOf(texts.map((text) => `${text},z\n`).join(''));
        const { chunks } = new BlockParser(plan('a')).parse({
          bytes,
          final: true,
          dtypes: ['string', 'string'],
          types: [0, 0],
        });
        expect(decode(parseDType('string'), chunks![0]!, texts.length)).toEqual(texts);
      }
    }
  });
});
