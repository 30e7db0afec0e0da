// Blocks of CSV parsed by the addon, against the same blocks parsed in TypeScript: the same rows, faults, facts, types,
// values, codes and texts, of edges of every kind, wherever a block is cut.
import { textInputKernels, setDefaultBackend } from '@colkit/io';
import type { DType } from '@colkit/io';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AddonColumns } from '../../src/text-input/cells/addon-columns.ts';
import { anyTypes } from '../../src/csv/blocks/block-parser.ts';
import { BlockParser } from '../../src/csv/index.ts';
import type { BlockPlan, ParsedBlock } from '../../src/csv/index.ts';
import type { Chunk } from '../../src/index.ts';

const hasAddon = textInputKernels() !== null;
afterEach(() => {
  setDefaultBackend(process.env['COLKIT_BACKEND'] === 'js' ? 'js' : 'native');
});

const encoder = new TextEncoder();
const QUOTE = 34;

/** Numbers, moments, words and texts that are near the borders of what is one. */
const EDGES: Readonly<Record<string, readonly string[]>> = {
  int64: [
    ...[
      '0',
      '-0',
      '7',
      '-1',
      '007',
      '-07',
      '00',
      '+5',
      '',
      '-',
      '--1',
      '1_000',
      '1,5',
      ' 1',
      '1 ',
      '12345678',
      '99999999',
    ],
    ...['123456789', '999999999', '-2147483649', '4294967296', '999999999999999', '1000000000000000'],
    ...['9007199254740991', '9007199254740992', '9007199254740993', '-9007199254740993', '1152921504606846976'],
    ...['1152921504606847000', '1234567890123456789', '9223372036854775807', '-9223372036854775808'],
    ...['9223372036854775808', '-9223372036854775809', '18446744073709551615', '99999999999999999999', '1e3', '0x10'],
  ],
  uint64: ['0', '-0', '7', '-1', '007', '9223372036854775807', '9223372036854775808', '18446744073709551615', '1e3'],
  float64: [
    ...[
      '0',
      '-0',
      '-0.0',
      '0.',
      '.5',
      '5.',
      '.',
      '-.',
      '-.5',
      '1e5',
      '1.e5',
      '.e5',
      '1E-5',
      '1e+5',
      '1e',
      '1e+',
      '00.5',
    ],
    ...['0.1', '0.2', '0.3', '123.456', '-1234567.875', '3.141592653589793', '2.718281828459045235360287', '1e400'],
    ...[
      '-1e400',
      '1e-400',
      '5e-324',
      '2.2250738585072014e-308',
      '1.7976931348623157e308',
      '1e22',
      '1e23',
      '1e27',
      '1e28',
    ],
    ...['9007199254740993', '9007199254740993.0', '0.1e-21', '1234567890123456789e-27', '18446744073709551615e-20'],
    ...['0.000000000000000000000000001', '0.0000000000000000000123456789012345678', '12345678901234567890.5', '1e0005'],
    ...[
      'nan',
      'NaN',
      '-nan',
      '+nan',
      'inf',
      '-Infinity',
      'INFINITY',
      'infinit',
      'nano',
      '1.5.2',
      '1e5.0',
      '4.35',
      '8.5e15',
    ],
  ],
  'datetime64[D]': [
    ...['2024-02-29', '2023-02-29', '1970-01-01', '0000-01-01', '9999-12-31', '1900-02-29', '2000-02-29', '2024-13-01'],
    ...[
      '2024-00-10',
      '2024-01-00',
      '2024-1-1',
      '+002024-01-01',
      '-000001-12-31',
      '+275760-09-13',
      '20240101',
      '2024/01/01',
    ],
  ],
  'datetime64[us]': [
    ...['2024-02-29T23:59:59.999999', '2024-02-29 00:00', '2024-02-29T00:00Z', '2024-02-29T24:00', '2024-02-29T12:60'],
    ...[
      '2024-02-29T12:30:60',
      '2024-02-29T12:30:00.',
      '2024-02-29T12:30:00.1234567',
      '2024-02-29T12:30:00.5Z',
      '0000-01-01T00:00',
    ],
    ...[
      '9999-12-31T23:59:59.999999',
      '+012024-01-01T00:00:00',
      '-000001-01-01 00:00',
      '2024-02-29t00:00',
      '2024-02-29T1:00:00',
    ],
    ...['1969-12-31T23:59:59.000001', '2024-02-29'],
  ],
  bool: ['true', 'false', 'TRUE', 'False', 'tru', 'truee', '1', '0', '', 'yes', 'TRUE '],
  string: [
    ...[
      '',
      'a',
      'b',
      'ab',
      'äöü',
      '日本語',
      '𝒳',
      'null',
      'NA',
      'x'.repeat(7),
      'x'.repeat(8),
      'x'.repeat(9),
      'y'.repeat(300),
    ],
    ...['a b', ' a ', 'a\rb', 'a"b', '\u0000', '\ufeffa'],
  ],
};
const KINDS = Object.keys(EDGES) as DType[];

/** How a cell is written: as it is, or within quotes, those in it doubled. */
const written = (text: string, how: number): string =>
  how === 0 || (how === 1 && !/["\n,]/u.test(text)) ? text : `"${text.replaceAll('"', '""')}"`;

interface Made {
  readonly text: string;
  readonly dtypes: readonly DType[];
}

/** Rows of columns that are mostly of one kind, as text; some with a cell too many, a broken quote, no cell at all. */
const made: fc.Arbitrary<Made> = fc
  .record({
    kinds: fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 5 }),
    seed: fc.integer(),
    rows: fc.integer({ min: 1, max: 400 }),
    odd: fc.constantFrom(0, 0, 0, 0.01, 0.3),
    edges: fc.constantFrom(0, 0.02, 1),
    quoted: fc.constantFrom(0, 1, 2),
    lineBreak: fc.constantFrom('\n', '\r\n'),
    distinct: fc.boolean(),
    last: fc.boolean(),
  })
  .map(({ kinds, seed, rows, odd, edges, quoted, lineBreak, distinct, last }) => {
    let state = seed >>> 0;
    const next = (): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
    const usual = (kind: string, row: number): string => {
      switch (kind) {
        case 'int64':
          return String(Math.floor(next() * 10 ** (1 + Math.floor(next() * 15))) - 1000);
        case 'float64':
          return String(next() < 0.5 ? Math.round(next() * 1e6) / 100 : (next() - 0.5) * 10 ** (next() * 40 - 20));
        case 'bool':
          return next() < 0.5 ? 'true' : 'false';
        case 'datetime64[D]':
          return new Date(next() * 4e12).toISOString().slice(0, 10);
        case 'datetime64[us]':
          return new Date(next() * 4e12).toISOString();
        default:
          return distinct ? `text ${String(row)} of ${String(next())}` : `text ${String(Math.floor(next() * 20))}`;
      }
    };
    const lines = Array.from({ length: rows }, (_, row) => {
      if (next() < odd) return pick(['', '1,2,3,4,5,6,7', 'a"b', '"a"b', '"open', '\r', '""', ',', '\u0000']);
      return kinds
        .map((kind) => {
          const cell = next() < edges ? pick(EDGES[kind] as readonly string[]) : usual(kind, row);
          const text = quoted === 2 && kind === 'string' && next() < 0.1 ? `${cell}${lineBreak}"more"` : cell;
          return written(next() < 0.05 ? '' : text, quoted === 2 ? Math.floor(next() * 3) : quoted);
        })
        .join(',');
    });
    return { text: lines.join(lineBreak) + (last ? lineBreak : ''), dtypes: kinds };
  });

const numbersOf = (array: ArrayLike<number> | null): number[] | null => (array === null ? null : Array.from(array));

function plainChunk(chunk: Chunk): unknown {
  if (chunk.kind === 'fixed') return { ...chunk, bytes: numbersOf(chunk.bytes), validity: numbersOf(chunk.validity) };
  if (chunk.kind !== 'utf8') return chunk;
  const { bytes, ends, codes, validity } = chunk;
  return {
    ...chunk,
    bytes: numbersOf(bytes),
    ends: numbersOf(ends),
    codes: numbersOf(codes),
    validity: numbersOf(validity),
  };
}

const plain = (block: ParsedBlock): unknown => ({
  ...block,
  facts: block.facts.map((facts) => ({ ...facts })),
  chunks: block.chunks?.map(plainChunk) ?? null,
});

const planOf = (columns: number, options: Partial<BlockPlan> = {}): BlockPlan => ({
  dialect: { separator: 44, quote: QUOTE },
  cellCount: columns,
  columns: Array.from({ length: columns }, (_, cell) => ({ name: `c${String(cell)}`, cell, given: null })),
  nullWords: [new Uint8Array(0)],
  onError: 'skip',
  ...options,
});

function bothWays(plan: BlockPlan, bytes: Uint8Array, final: boolean, dtypes: readonly DType[] | null): ParsedBlock {
  const [js, native] = (['js', 'native'] as const).map((backend) => {
    setDefaultBackend(backend);
    return new BlockParser(plan).parse({ bytes, final, dtypes, types: anyTypes(plan.columns.length) });
  }) as [ParsedBlock, ParsedBlock];
  expect(plain(native)).toEqual(plain(js));
  return native;
}

describe.skipIf(!hasAddon)('a block is parsed as in TypeScript', () => {
  it('by the addon, column by column', () => {
    const parse = vi.spyOn(AddonColumns.prototype, 'parse');
    const rows = Array.from(
      { length: 500 },
      (_, row) => `${String(row)},${String(row / 7)},"a ""${String(row % 5)}""",${String(row)}e-300`,
    );
    bothWays(planOf(4), encoder.encode(`${rows.join('\n')}\n`), true, ['int64', 'float64', 'string', 'bool']);
    const answers = parse.mock.results.map(({ value }) => value as ReturnType<AddonColumns['parse']>);
    parse.mockRestore();
    // Of both ways only one has the addon.
    expect(answers.map((columns) => columns?.map((typed) => typed?.chunk.kind ?? null) ?? null)).toEqual(
      expect.arrayContaining([null, ['fixed', 'fixed', 'utf8', null]]),
    );
    expect(answers).toHaveLength(2);
  });

  it('of any rows, cut anywhere', () => {
    fc.assert(
      fc.property(made, fc.integer({ min: 0, max: 60 }), fc.boolean(), ({ text, dtypes }, less, final) => {
        const bytes = encoder.encode(text);
        bothWays(planOf(dtypes.length), bytes.subarray(0, Math.max(0, bytes.length - less)), final, dtypes);
      }),
      { numRuns: 400 },
    );
  });

  it('with words for null, without quotes, with types that were given, and where it only looks', () => {
    const words = ['NA', '', '0', 'null', '-'].map((word) => encoder.encode(word));
    fc.assert(
      fc.property(made, fc.constantFrom(0, 1, 2, 3, 4), ({ text, dtypes }, how) => {
        const bytes = encoder.encode(text);
        const columns = dtypes.map((dtype, cell) => ({ name: `c${String(cell)}`, cell, given: dtype }));
        const plan = planOf(dtypes.length, {
          ...(how === 0 ? { nullWords: words } : {}),
          ...(how === 1 ? { nullWords: [] } : {}),
          ...(how === 2 ? { dialect: { separator: 44, quote: -1 } } : {}),
          ...(how === 3 ? { columns } : {}),
        });
        bothWays(plan, bytes, true, how === 4 ? null : dtypes);
      }),
      { numRuns: 300 },
    );
  });

  it('of some columns, in any order: those of all of them', () => {
    fc.assert(
      fc.property(
        made,
        fc.nat(),
        fc.nat(),
        fc.constantFrom(true, false),
        ({ text, dtypes }, first, second, isGiven) => {
          const bytes = encoder.encode(text);
          const all = planOf(dtypes.length);
          const cells = [...new Set([first % dtypes.length, second % dtypes.length])];
          const given = isGiven ? { given: dtypes[cells[0] as number] as DType } : {};
          const columns = all.columns.map((column) => (column.cell === cells[0] ? { ...column, ...given } : column));
          const chosen = { ...all, columns: cells.map((cell) => columns[cell] as (typeof columns)[number]) };
          const whole = bothWays({ ...all, columns }, bytes, true, dtypes);
          const some = bothWays(
            chosen,
            bytes,
            true,
            cells.map((cell) => dtypes[cell] as DType),
          );
          expect([some.rowCount, some.faults, some.shifted]).toEqual([
            whole.rowCount,
            whole.faults,
            whole.shifted === null ? null : cells.map((cell) => whole.shifted?.[cell]),
          ]);
          if (whole.chunks === null) return;
          expect(some.facts).toEqual(cells.map((cell) => whole.facts[cell]));
          expect(some.chunks?.map(plainChunk)).toEqual(cells.map((cell) => plainChunk(whole.chunks?.[cell] as Chunk)));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('of bytes that are no UTF-8, of another separator and quote', () => {
    fc.assert(
      fc.property(made, fc.nat(), fc.integer({ min: 0, max: 255 }), ({ text, dtypes }, at, byte) => {
        const bytes = encoder.encode(text.replaceAll(',', ';').replaceAll('"', "'"));
        if (bytes.length > 0) bytes[at % bytes.length] = byte;
        bothWays(planOf(dtypes.length, { dialect: { separator: 59, quote: 39 } }), bytes, true, dtypes);
      }),
      { numRuns: 300 },
    );
  });

  it('of every edge as every type, alone among others of its type', () => {
    const usual: Readonly<Record<string, string>> = {
      int64: '12',
      float64: '1.5',
      bool: 'true',
      'datetime64[D]': '2024-02-28',
      'datetime64[us]': '2024-02-28T12:00:00',
      string: 'text',
    };
    for (const dtype of KINDS)
      for (const edge of Object.values(EDGES).flat()) {
        const rows = Array.from({ length: 200 }, () => `${usual[dtype] ?? ''},9`);
        rows[100] = `${written(edge, 1)},9`;
        bothWays(planOf(2), encoder.encode(`${rows.join('\n')}\n`), true, [dtype, 'int64']);
      }
  });

  it.each([
    ['differ, without codes', 1200, false],
    ['repeat, with codes', 40, true],
  ])('of few long texts that %s', (_, distinct, isCoded) => {
    const rows = Array.from({ length: 1200 }, (_row, row) =>
      written(`${String(row % distinct)} "${'x'.repeat(90)}"`, 1),
    );
    const { chunks } = bothWays(planOf(1), encoder.encode(`${rows.join('\n')}\n`), true, ['string']);
    expect(chunks?.[0]).toMatchObject({ rowCount: 1200, codes: isCoded ? (expect.any(Uint16Array) as unknown) : null });
  });

  it('of many rows, of columns that are left to TypeScript, of more columns than a row can have', () => {
    const rows = Array.from({ length: 9000 }, (_, row) => `${String(row)},${String(row)}e-300,1e-300`);
    bothWays(planOf(3), encoder.encode(`${rows.join('\n')}\n`), true, ['string', 'float64', 'float64']);
    bothWays(planOf(1), encoder.encode('\n'.repeat(5000)), true, ['int64']);
    const wide = Array.from({ length: 3000 }, (_, column) => String(column));
    bothWays(
      planOf(3000),
      encoder.encode(`${wide.join(',')}\n`),
      true,
      wide.map(() => 'int64' as const),
    );
    bothWays(planOf(2), encoder.encode(`${wide.join(',')}\n`), true, ['int64', 'int64']);
  });
});
