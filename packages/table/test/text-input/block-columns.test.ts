// Blocks of text that are parsed when their values are asked for: the values, whoever asks in which order, and how
// often a block is parsed where there is room for few of them.
import { parseDType } from '@colkit/io';
import type { DType } from '@colkit/io';
import { WorkContext } from '@colkit/io/effects';
import { createRandom } from '@colkit/testkit';
import { expect, test } from 'vitest';
import type { InputColumn } from '../../src/input/input-columns.ts';
import { blockColumns, rowBytesOf } from '../../src/text-input/block-columns.ts';
import type { ColumnRange, TextBlock } from '../../src/text-input/block-columns.ts';

/** Value `row * columns + column` in every cell. */
function numbers(columns: number, blockRows: readonly number[], memoryBytes: number) {
  const dtypes: readonly DType[] = Array.from({ length: columns }, (_, column) =>
    column % 3 === 0 ? 'int32' : 'int64',
  );
  const fields = dtypes.map((dtype, column) => ({ name: `c${String(column)}`, dtype, nullable: false }));
  const blocks: TextBlock[] = [];
  let firstRow = 0;
  for (const [byteOffset, rowCount] of blockRows.entries()) {
    blocks.push({ byteOffset, byteLength: 1, firstRow, rowCount });
    firstRow += rowCount;
  }
  const parses: number[] = blocks.map(() => 0);
  const parse = (block: TextBlock, { start, end }: ColumnRange) => {
    parses[block.byteOffset] = (parses[block.byteOffset] as number) + 1;
    return dtypes.slice(start, end).map((dtype, index) => {
      const values = Array.from(
        { length: block.rowCount },
        (_, row) => (block.firstRow + row) * columns + start + index,
      );
      const bytes = dtype === 'int32' ? Int32Array.from(values) : BigInt64Array.from(values, BigInt);
      return {
        kind: 'fixed' as const,
        rowCount: block.rowCount,
        bytes: new Uint8Array(bytes.buffer),
        validity: null,
      };
    });
  };
  const table = {
    fields,
    rowCount: firstRow,
    memoryBytes,
    blocks,
    parse: (block: TextBlock, range: ColumnRange) => Promise.resolve(parse(block, range)),
    parseSync: parse,
  };
  const read = (column: number, start: number, end: number): void => {
    const chunk = (input.columns[column] as InputColumn).read(start, end).runSync(new WorkContext());
    if (chunk.kind !== 'fixed') throw new Error('other values');
    const { buffer, byteOffset } = chunk.bytes;
    const found =
      dtypes[column] === 'int32'
        ? new Int32Array(buffer, byteOffset, end - start)
        : new BigInt64Array(buffer.slice(byteOffset), 0, end - start);
    expect(Array.from(found, Number)).toEqual(
      Array.from({ length: end - start }, (_, row) => (start + row) * columns + column),
    );
  };
  const input = blockColumns(table);
  const byteLength = firstRow * rowBytesOf(dtypes.map((dtype) => parseDType(dtype)));
  return { read, parses, rowCount: firstRow, byteLength };
}

test('values are those of the file, asked for in any order, with any room', () => {
  const random = createRandom(7);
  for (const memoryBytes of [0, 100, 3000, 1e6]) {
    const { read, rowCount } = numbers(7, [5, 1, 30, 12, 12, 40], memoryBytes);
    for (let turn = 0; turn < 300; turn++) {
      const [a, b] = [random.integer(rowCount + 1), random.integer(rowCount + 1)];
      read(random.integer(7), Math.min(a, b), Math.max(a, b));
    }
  }
});

test('whoever reads column by column parses blocks as often as the room demands, not once a column', () => {
  const blockRows = Array.from({ length: 20 }, (_, block) => 30 + (block % 7));
  for (const share of [0.9, 0.5, 0.21, 0.1]) {
    const whole = numbers(60, blockRows, 0);
    const { read, parses, rowCount } = numbers(60, blockRows, whole.byteLength * share);
    for (let column = 0; column < 60; column++) read(column, 0, rowCount);
    // One pass with all columns, which shows how many rows are read, and others with as many as there is room for.
    expect(Math.max(...parses)).toBeLessThanOrEqual(2 + Math.ceil(1.5 / share));
  }
  const { read, parses, rowCount } = numbers(60, blockRows, 1e9);
  for (let column = 0; column < 60; column++) read(column, 0, rowCount);
  expect(Math.max(...parses)).toBe(1);
});

test('groups of rows, each column by column', () => {
  const blockRows = Array.from({ length: 40 }, () => 25);
  const whole = numbers(30, blockRows, 0);
  const { read, parses, rowCount } = numbers(30, blockRows, whole.byteLength / 20);
  for (let start = 0; start < rowCount; start += 100)
    for (let column = 0; column < 30; column++) read(column, start, start + 100);
  expect(Math.max(...parses)).toBeLessThanOrEqual(5);
});
