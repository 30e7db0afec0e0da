// Chunks in every form, cut anywhere and joined again, against plain arrays.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChunkJoiner, joinedChunk, sliceChunk, valuesOf, writtenChunk } from '../../src/index.ts';
import type { Chunk } from '../../src/index.ts';
import { bitmapOf } from '../support/memory-table.ts';

type Cell = number | string | null;

const FORMS = ['fixed', 'values', 'dictionary', 'utf8', 'utf8 with codes'] as const;
type Form = (typeof FORMS)[number];

/** Little-endian int16 or text; in null rows stands something. */
function chunkOf(form: Form, cells: readonly Cell[]): Chunk {
  const rowCount = cells.length;
  const validity = cells.includes(null) ? bitmapOf(cells) : null;
  if (form === 'fixed') {
    const items = Int16Array.from(cells, (cell) => Number(cell ?? 77));
    return { kind: 'fixed', rowCount, bytes: new Uint8Array(items.buffer), validity };
  }
  const texts = cells.map((cell) => String(cell ?? 'null'));
  if (form === 'values') return { kind: 'values', rowCount, values: texts, validity };
  const distinct = [...new Set(texts), 'not met'].reverse();
  if (form === 'dictionary') {
    const codes = Int32Array.from(cells, (cell, row) => (cell === null ? -1 : distinct.indexOf(texts[row]!)));
    return { kind: 'dictionary', rowCount, codes, dictionary: distinct, validity };
  }
  const shared = form === 'utf8' ? texts : distinct;
  let end = 0;
  return {
    kind: 'utf8',
    rowCount,
    bytes: Buffer.from(shared.join('')),
    ends: Uint32Array.from(shared, (text) => (end += Buffer.byteLength(text))),
    codes: form === 'utf8' ? null : Uint16Array.from(texts, (text) => distinct.indexOf(text)),
    validity,
  };
}

function cellsOf(chunk: Chunk): Cell[] {
  const { validity, rowCount } = chunk;
  const values =
    chunk.kind === 'fixed'
      ? new Int16Array(chunk.bytes.slice().buffer)
      : (valuesOf(chunk) as readonly (string | number)[]);
  expect(values.length).toBe(rowCount);
  if (validity !== null) expect(validity.length).toBe(Math.ceil(rowCount / 8));
  return Array.from({ length: rowCount }, (_, row) =>
    validity !== null && ((validity[row >> 3]! >> (row & 7)) & 1) === 0 ? null : values[row]!,
  );
}

function cells(form: Form): fc.Arbitrary<Cell[]> {
  const value: fc.Arbitrary<Cell> =
    form === 'fixed' ? fc.integer({ min: -9, max: 9 }) : fc.constantFrom('', 'a', 'é', '\u{1f600}', 'long');
  return fc.array(fc.option(value, { freq: 6 }), { maxLength: 40 });
}

for (const form of FORMS) {
  const itemBytes = form === 'fixed' ? 2 : 0;
  describe(form, () => {
    it('parts of chunks, joined, are the rows one behind the other, also when the memory is used again', () => {
      fc.assert(
        fc.property(
          fc.array(fc.array(fc.tuple(cells(form), fc.nat(40), fc.nat(40)), { maxLength: 6 }), { maxLength: 3 }),
          fc.nat(60),
          (rounds, room) => {
            const joiner = new ChunkJoiner(itemBytes, room);
            for (const round of rounds) {
              const expected: Cell[] = [];
              for (const [rows, a, b] of round) {
                const [start, end] = [Math.min(a, b, rows.length), Math.min(Math.max(a, b), rows.length)];
                joiner.add(chunkOf(form, rows), start, end);
                expected.push(...rows.slice(start, end));
              }
              expect(joiner.rowCount).toBe(expected.length);
              const joined = joiner.take();
              expect(cellsOf(joined)).toEqual(expected);
              // Bits behind the last row are 0.
              if (joined.validity !== null && expected.length % 8 !== 0)
                expect(joined.validity.at(-1)! >> (expected.length % 8)).toBe(0);
              expect(joiner.rowCount).toBe(0);
            }
          },
        ),
      );
    });

    it('chunks that are joined at once are the same rows, and texts have memory of exactly their size', () => {
      fc.assert(
        fc.property(fc.array(cells(form), { maxLength: 6 }), (parts) => {
          const chunks = parts.map((rows) => chunkOf(form, rows));
          const joined = joinedChunk(itemBytes, chunks, parts.flat().length);
          expect(cellsOf(joined)).toEqual(parts.flat());
          if (joined.kind !== 'utf8') return;
          expect(joined.offsets).toEqual(Uint32Array.of(0, ...joined.ends));
          expect(joined.bytes.buffer.byteLength).toBe(joined.bytes.length);
          expect(joined.ends.buffer.byteLength).toBe(4 * (joined.ends.length + 1));
        }),
      );
    });

    it('a slice has memory of its own', () => {
      const rows: Cell[] = form === 'fixed' ? [1, null, 3, 4, 5] : ['a', null, 'b', 'a', 'c'];
      const chunk = chunkOf(form, rows);
      const slice = sliceChunk(chunk, itemBytes, 1, 4);
      if (chunk.kind === 'fixed' || chunk.kind === 'utf8') chunk.bytes.fill(0);
      if (chunk.kind === 'dictionary') chunk.codes.fill(0);
      expect(cellsOf(slice)).toEqual(rows.slice(1, 4));
    });
  });
}

it('chunks of different forms are refused', () => {
  const joiner = new ChunkJoiner(0);
  joiner.add(chunkOf('values', ['a']));
  expect(() => joiner.add(chunkOf('dictionary', ['a']))).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
});

it('UTF-8 with and without codes is joined: codes of 16 bits as long as they have room', () => {
  const joiner = new ChunkJoiner(0);
  const many = Array.from({ length: 65_536 }, (_, row) => `text ${String(row)}`);
  joiner.add(chunkOf('utf8', ['x', 'y']));
  joiner.add(chunkOf('utf8 with codes', ['y', 'y', null]));
  joiner.add(chunkOf('utf8', ['z']));
  const small = joiner.take();
  expect(cellsOf(small)).toEqual(['x', 'y', 'y', 'y', null, 'z']);
  expect(small).toMatchObject({ codes: expect.any(Uint16Array) as unknown });
  joiner.add(chunkOf('utf8 with codes', ['x']));
  joiner.add(chunkOf('utf8', many));
  const large = joiner.take();
  expect(large).toMatchObject({ codes: expect.any(Uint32Array) as unknown });
  expect(cellsOf(large)).toEqual(['x', ...many]);
});

it('items go into memory that is given, and validity of many shifts stays exact', () => {
  const memory = new Uint8Array(2 * 100).fill(0xee);
  const joiner = new ChunkJoiner(2, 60, memory);
  const expected: Cell[] = [];
  for (let count = 1; count < 11; count += 1) {
    const rows = Array.from({ length: 12 }, (_, row) => ((row * count) % 3 === 0 ? null : row));
    joiner.add(chunkOf('fixed', rows), 1, count);
    expected.push(...rows.slice(1, count));
  }
  const joined = joiner.take();
  expect(joined.kind === 'fixed' && joined.bytes.buffer).toBe(memory.buffer);
  expect(cellsOf(joined)).toEqual(expected);
  expect(memory[2 * expected.length]).toBe(0xee);
});

it('what a source wrote is packed where the output is', () => {
  const bytes = new Uint8Array(12);
  expect(writtenChunk({ bytes, byteOffset: 0, byteStride: 4 }, 3, null)).toMatchObject({ bytes, rowCount: 3 });
  const chunk = writtenChunk({ bytes, byteOffset: 4, byteStride: 12 }, 1, null);
  expect([chunk.bytes.byteOffset, chunk.bytes.length]).toEqual([4, 8]);
});
