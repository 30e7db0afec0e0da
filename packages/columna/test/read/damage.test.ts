// Files of every encoding, damaged: every third byte changed, every third length cut (all in a long run). What comes
// back is equal data or a typed error that says where; never another exception.
import { byteFlips, damageStep, outcomeOf, truncations } from '@colkit/testkit';
import type { Damage } from '@colkit/testkit';
import { CorruptFileError, isColkitError } from '@colkit/io';
import { describe, expect, it } from 'vitest';
import { openSync, readSync, scanSync } from '../../src/index.ts';
import { ENCODING_NAMES } from '../../src/layout/constants.ts';
import { cellsOf, cellsOfResult, sameCells } from '../support/cells.ts';
import { withByte } from '../support/damaged.ts';
import { readTable, writeTable } from '../support/table.ts';
import type { TestColumn, TestOptions } from '../support/table.ts';

const STEP = damageStep(true);
const ROWS = 48;
const at = <T>(make: (row: number) => T): T[] => Array.from({ length: ROWS }, (_, row) => make(row));
const ints = (name: string, make: (row: number) => number, encoding?: TestColumn['encoding']): TestColumn => ({
  name,
  type: 'int32',
  values: Int32Array.from(at(make)),
  ...(encoding === undefined ? {} : { encoding }),
});

/** Between them every encoding, DEFLATE, nulls, dictionaries of chunks and joint ones. */
const FILES: readonly {
  readonly name: string;
  readonly columns: readonly TestColumn[];
  readonly options: TestOptions;
}[] = [
  {
    name: 'integers',
    columns: [
      ints('plain', (row) => row * 7919, 'PLAIN'),
      ints('delta', (row) => row * row, 'DELTA'),
      ints('runs', (row) => row >> 4, 'RLE'),
    ],
    options: { pageRows: 32 },
  },
  {
    name: 'packed',
    columns: [
      ints('packed', (row) => (row * 31) % 50, 'BITPACK'),
      ints('bins', (row) => [1, 1, 1, 900][(row * row) % 4]!, 'ENTROPY'),
      ints('few', (row) => (row % 3) * 1000003, 'DICTIONARY'),
    ],
    options: { rowGroupRows: 32 },
  },
  {
    name: 'floats',
    options: { mode: 'smallest', rowGroupRows: 32 },
    columns: [
      {
        name: 'cents',
        type: 'float64',
        values: Float64Array.from(at((row) => (row === 9 ? Math.PI : ((row * 37) % 500) / 100))),
      },
      { name: 'steps', type: 'float32', values: Float32Array.from(at((row) => row / 4)) },
    ],
  },
  {
    name: 'nulls',
    options: { pageRows: 32 },
    columns: [
      {
        name: 'some',
        type: 'int16',
        values: Int16Array.from(at((row) => row)),
        validity: Uint8Array.from({ length: 6 }, (_, i) => 0x5a + i),
      },
      { name: 'none', type: 'bool', values: new Uint8Array(ROWS), validity: new Uint8Array(6) },
      { name: 'flags', type: 'bool', values: Uint8Array.from(at((row) => (row * row) % 2)), encoding: 'BITS' },
    ],
  },
  {
    name: 'strings',
    options: { pageRows: 32 },
    columns: [
      { name: 'text', type: 'string', values: at((row) => `ż${'abc'.slice(row % 4)}${row}`) },
      { name: 'note', type: 'string', values: at((row) => (row % 3 === 0 ? null : ['gift', 'fragile'][row % 2]!)) },
      { name: 'bytes', type: 'binary', values: at((row) => Uint8Array.of(row, 255)) },
    ],
  },
  {
    name: 'joint',
    options: { pageRows: 32 },
    columns: [
      { name: 'origin', type: 'string', values: at((row) => `airport ${(row * 7) % 11}`) },
      { name: 'distance', type: 'float64', values: Float64Array.from(at((row) => Math.sqrt((row * 7) % 11))) },
    ],
  },
  {
    name: 'deflated',
    options: { mode: 'smallest' },
    columns: [
      { name: 'url', type: 'string', values: at((row) => `https://example.org/items/${row}`) },
      { name: 'noise', type: 'float64', values: Float64Array.from(at((row) => Math.sin(row))) },
      {
        name: 'lines',
        type: 'string',
        values: at((row) => `line ${row % 50} of many`),
        encoding: 'BLOCKS',
      },
      { name: 'codes', type: 'string', values: at((row) => `żółw ${row} of many`), encoding: 'ONPAIR' },
      { name: 'sorted', type: 'string', values: at((row) => `line ${1000 + row} of many`), encoding: 'FRONT' },
      { name: 'copies', type: 'string', values: at((row) => `line ${row % 50} of many`), encoding: 'MATCHES' },
    ],
  },
];

it('has every encoding and codec between them', () => {
  const seen = new Set<string>();
  const codecs = new Set<string>();
  for (const { columns, options } of FILES) {
    const { bytes, reports } = writeTable(columns, options);
    for (const chunk of readTable(bytes).chunks.flat())
      for (const [id, name] of ENCODING_NAMES.entries()) if ((chunk.encodings >>> id) & 1) seen.add(name);
    for (const { pages, dictionary } of reports)
      for (const page of [...pages, dictionary])
        if (page !== null) {
          codecs.add(page.codec);
          for (const name of ENCODING_NAMES) if (page.encoding.includes(name)) seen.add(name);
        }
  }
  expect([...seen].sort()).toEqual([...ENCODING_NAMES].sort());
  expect([...codecs].sort()).toEqual(['DEFLATE', 'NONE']);
});

describe.each(FILES)('$name', ({ columns, options }) => {
  const { bytes } = writeTable(columns, options);
  const { footer } = readTable(bytes);
  const readAll = (file: Uint8Array) => readSync(file) as unknown as Record<string, unknown>;
  const isEqual = (result: Record<string, unknown>) =>
    columns.every((column) => sameCells(cellsOfResult(result[column.name], column.type), cellsOf(column)));

  async function sweep(damages: Iterable<Damage>): Promise<{ equal: number; errors: Map<string, number> }> {
    let equal = 0;
    const errors = new Map<string, number>();
    for (const damage of damages) {
      const outcome = await outcomeOf(damage, readAll, isColkitError);
      if (outcome.kind === 'value') {
        expect(isEqual(outcome.value), `${damage.label}: other data`).toBe(true);
        equal++;
        continue;
      }
      errors.set(outcome.error.code, (errors.get(outcome.error.code) ?? 0) + 1);
      const inPages =
        damage.byteOffset >= 4 && damage.byteOffset < footer.footerOffset && damage.label.startsWith('byte');
      if (!inPages) continue;
      expect(outcome.error, damage.label).toBeInstanceOf(CorruptFileError);
      const { column, rowGroup, region, page, byteOffset } = outcome.error as unknown as CorruptFileError;
      expect(
        columns.map(({ name }) => name),
        damage.label,
      ).toContain(column);
      expect(rowGroup, damage.label).toBeTypeOf('number');
      if (region === 'page') expect(page, damage.label).toBeTypeOf('number');
      expect(byteOffset).toBeLessThanOrEqual(damage.byteOffset + 32);
    }
    return { equal, errors };
  }

  it('reads undamaged', () => expect(isEqual(readAll(bytes))).toBe(true));

  it('refuses a changed byte, but for those that mean nothing', async () => {
    const { equal, errors } = await sweep(byteFlips(bytes, [0xff], STEP));
    expect(errors.get('ERR_CRC')).toBeGreaterThan(bytes.length / STEP / 2);
    // Padding and ignored bytes of the format.
    expect(equal).toBeLessThan(bytes.length / STEP / 3);
  });

  it('refuses any length but its own', async () => {
    const { equal, errors } = await sweep(truncations(bytes, STEP));
    expect(equal).toBe(0);
    expect([...errors.keys()].sort()).toEqual(['ERR_MAGIC', 'ERR_TRUNCATED']);
  });

  it('never fails in another way where CRCs are not looked at', () => {
    for (const { label, bytes: damaged } of byteFlips(bytes.subarray(0, footer.footerOffset), [0xff], STEP)) {
      const file = new Uint8Array(Buffer.concat([damaged, bytes.subarray(footer.footerOffset)]));
      for (const run of [
        () => readSync(file, { verifyCrc: false }),
        () =>
          scanSync(file, {
            verifyCrc: false,
            where: `\`${columns[0]!.name}\` is not null and \`${columns.at(-1)!.name}\` is not null`,
          }),
      ]) {
        try {
          run();
        } catch (error) {
          if (!isColkitError(error)) throw new Error(label, { cause: error });
        }
      }
    }
  });
});

describe('a file that was appended to', () => {
  const { columns, options } = FILES[0]!;
  const { bytes } = writeTable(columns, options);

  it('is refused with what can be kept where its last footer is missing', () => {
    for (const tail of [1, 100, 5000]) {
      const cut = new Uint8Array(Buffer.concat([bytes, new Uint8Array(tail).fill(0x31)]));
      expect(() => openSync(cut)).toThrow(
        expect.objectContaining({
          code: 'ERR_UNCOMMITTED_TAIL',
          byteOffset: bytes.length,
          message: expect.stringContaining(`recover keeps ${ROWS} rows`) as unknown,
        }),
      );
    }
  });
});

it('which rows are null is known in spite of a damaged dictionary', () => {
  const texts = at((row) => (row % 5 === 2 ? null : `text ${row % 4}`));
  const { bytes } = writeTable([{ name: 't', type: 'string', values: texts }], { joint: false, pageRows: 16 });
  // The dictionary page is the first of the file.
  using table = openSync(withByte(bytes, 4 + 40, bytes[4 + 40]! ^ 1));
  const nulls = at((row) => row).filter((row) => texts[row] === null);
  expect([...table.where('t is null').resolveSync().rowNumbers()]).toEqual(nulls);
  expect(table.where('t is not null').countSync()).toBe(ROWS - nulls.length);
  expect(() => table.where("t == 'text 1'").countSync()).toThrow(CorruptFileError);
  expect(() => table.toColumnsSync()).toThrow(CorruptFileError);
});
