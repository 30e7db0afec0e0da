// What the writer chooses, by mode and by force, what it reports, and that the sizes it chose by are those it wrote.
import { createRandom } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
import { arrayOver, columnType } from '../../src/layout/column-type.ts';
import { deflate } from '../../src/columns/deflating/deflating.ts';
import { inflate } from '../../src/columns/inflate.ts';
import { splitDecimals } from '../../src/columns/encodings/decimal/index.ts';
import { expectedRows, readTable, writeTable } from '../support/table.ts';
import type { TestColumn, TestOptions } from '../support/table.ts';

const ROWS = 10_000;

function oneColumn(column: TestColumn, options: TestOptions = {}) {
  const { bytes, reports } = writeTable([column], options);
  expect(readTable(bytes).columns[0]!.values).toEqual(expectedRows(column));
  return { bytes, chunk: reports[0]!, page: reports[0]!.pages[0]! };
}

const random = createRandom(77);
const ids: TestColumn = {
  name: 'id',
  type: 'int64',
  values: BigInt64Array.from({ length: ROWS }, (_, i) => BigInt(i) + 100_000n),
};
const amounts: TestColumn = {
  name: 'amount',
  type: 'float64',
  values: Float64Array.from({ length: ROWS }, () => random.integer(142_800) / 100),
};
const regions: TestColumn = {
  name: 'region',
  type: 'string',
  values: Array.from({ length: ROWS }, () => random.pick(['EMEA', 'APAC', 'AMER', 'LATAM'])),
};
const measures: TestColumn = {
  name: 'm',
  type: 'float64',
  values: Float64Array.from({ length: ROWS }, () => Math.exp(random.number() * 20)),
};
const skew: TestColumn = {
  name: 'skew',
  type: 'int32',
  values: Int32Array.from({ length: ROWS }, () => Math.floor(-Math.log(1 - random.number()) * 20)),
};

describe('the encoding of the fewest bytes', () => {
  it('is an arithmetic sequence for ids, in sixteen bytes', () => {
    const { page } = oneColumn(ids);
    expect(page).toMatchObject({ encoding: 'AFFINE', bodyBytes: 16, codec: 'NONE', rowCount: ROWS });
  });

  it('is scaled integers for prices: 17.2 bits a value at the smallest, 18 by default', () => {
    expect(oneColumn(amounts, { mode: 'smallest' }).page.bodyBytes).toBeLessThan((17.3 / 8) * ROWS);
    const { page } = oneColumn(amounts);
    expect(page.encoding).toBe('DECIMAL(BITPACK)');
    expect(page.bodyBytes).toBeLessThan((18.1 / 8) * ROWS);
  });

  it('is never more than PLAIN', () => {
    for (const column of [ids, amounts, regions, measures, skew]) {
      for (const mode of ['default', 'smallest'] as const) {
        const chosen = oneColumn(column, { mode }).bytes.length;
        expect(chosen, `${column.name} ${mode}`).toBeLessThanOrEqual(oneColumn(column, { mode: 'plain' }).bytes.length);
      }
      expect(oneColumn(column, { mode: 'smallest' }).bytes.length).toBeLessThanOrEqual(oneColumn(column).bytes.length);
    }
  });

  it('is a dictionary of gaps for sums of floats, which are no decimals', () => {
    let sum = 0;
    const values = Float64Array.from({ length: 3 * ROWS }, () => (sum += (random.integer(201) - 100) / 100));
    for (const mode of ['fast', 'default', 'smallest'] as const) {
      const { page } = oneColumn({ name: 'walk', type: 'float64', values }, { mode });
      expect(page.encoding).toMatch(/^DELTA\(DICTIONARY\(/);
      expect(page.pageBytes).toBeLessThan(2.1 * values.length);
    }
  });

  it('by entropy only where its bytes are worth its time', () => {
    expect(oneColumn(skew, { mode: 'smallest' }).page.encoding).toBe('ENTROPY');
    expect(oneColumn(skew).page.encoding).toMatch(/BITPACK/);
    expect(
      oneColumn({ name: 'u', type: 'int32', values: Int32Array.from({ length: ROWS }, () => random.integer(1000)) })
        .page.encoding,
    ).toBe('BITPACK');
  });

  it('takes more bytes the more a nanosecond is worth, and never DEFLATE for a tenth of packed doubles', () => {
    const noise = Float64Array.from({ length: ROWS }, () => random.number());
    const bytes = (['smallest', 'default', 'fast'] as const).map(
      (mode) => oneColumn({ name: 'd', type: 'float64', values: noise }, { mode }).page,
    );
    expect(bytes.map(({ pageBytes }) => pageBytes)).toEqual(
      bytes.map(({ pageBytes }) => pageBytes).toSorted((a, b) => a - b),
    );
    expect(bytes.map(({ codec }) => codec)).toEqual(['DEFLATE', 'NONE', 'NONE']);
  });

  it('is one bit a value for flags and about nothing for constants', () => {
    const flags = oneColumn({
      name: 'f',
      type: 'bool',
      values: Uint8Array.from({ length: ROWS }, () => random.integer(2)),
    });
    expect(flags.page.bodyBytes).toBeLessThan(ROWS / 8 + 40);
    expect(
      oneColumn({ name: 'c', type: 'string', values: Array<string>(ROWS).fill('same') }).page.pageBytes,
    ).toBeLessThan(120);
    expect(
      oneColumn({ name: 'c', type: 'float64', values: new Float64Array(ROWS).fill(NaN) }).page.pageBytes,
    ).toBeLessThan(80);
  });
});

describe('nulls', () => {
  it('cost a bit a row where there are some, nothing where there are none, a header where there are only nulls', () => {
    const validity = Uint8Array.from({ length: ROWS / 8 }, () => random.integer(256));
    const values = new Int32Array(ROWS).fill(7);
    expect(oneColumn({ name: 'n', type: 'int32', values, validity }).page.bodyBytes).toBeLessThan(ROWS / 8 + 64);
    expect(
      oneColumn({ name: 'n', type: 'int32', values, validity: new Uint8Array(ROWS / 8).fill(255) }).page,
    ).toMatchObject({ valueCount: ROWS, bodyBytes: 16 });
    expect(oneColumn({ name: 'n', type: 'int32', values, validity: new Uint8Array(ROWS / 8) }).page).toMatchObject({
      encoding: 'nulls',
      valueCount: 0,
      bodyBytes: 0,
      pageBytes: 32,
    });
  });

  it('in long runs cost next to nothing', () => {
    const validity = new Uint8Array(ROWS / 8).fill(255, 0, ROWS / 16);
    expect(
      oneColumn({ name: 'n', type: 'int32', values: new Int32Array(ROWS).fill(7), validity }).page.bodyBytes,
    ).toBeLessThan(120);
  });

  it('are refused where the schema has none', () => {
    const column = { name: 'n', type: 'string', values: ['a', 'b'] } as const;
    expect(() => writeTable([column, { ...column, name: 'o', values: ['a'] }])).toThrow(
      expect.objectContaining({ code: 'ERR_VALUE' }) as Error,
    );
  });
});

describe('plain mode', () => {
  it.each(['bool', 'int8', 'uint16', 'int32', 'uint64', 'float32', 'float64'] as const)(
    'stores %s as an array in the file, at a multiple of 8',
    (type) => {
      const { itemBytes } = columnType(type);
      const items = new Uint8Array(100 * itemBytes).map(() =>
        type === 'bool' ? random.integer(2) : random.integer(256),
      );
      const values = arrayOver(columnType(type), items.buffer, 0, 100);
      const { bytes } = oneColumn({ name: 'x', type, values }, { mode: 'plain', pageRows: 64 });
      // Page 0 starts at 4, its body at 32; page 1 follows.
      expect(bytes.subarray(32, 32 + 64 * itemBytes)).toEqual(items.subarray(0, 64 * itemBytes));
      const second = 4 + Math.ceil((28 + 64 * itemBytes) / 8) * 8 + 28;
      expect(second % 8).toBe(0);
      expect(bytes.subarray(second, second + 36 * itemBytes)).toEqual(items.subarray(64 * itemBytes));
    },
  );
});

describe('a forced encoding', () => {
  it.each(['PLAIN', 'DELTA', 'DICTIONARY', 'RLE', 'BITPACK', 'AFFINE', 'ENTROPY'] as const)(
    '%s is used, whatever it takes',
    (encoding) => {
      const { page } = oneColumn({ ...ids, encoding });
      expect(page.encoding).toMatch(new RegExp(`^${encoding}`));
    },
  );

  it('DECIMAL may have exceptions', () => {
    const values = Float64Array.from({ length: 1000 }, (_, i) => (i % 100 === 7 ? Math.PI : i / 4));
    expect(oneColumn({ name: 'x', type: 'float64', values, encoding: 'DECIMAL' }).page.encoding).toMatch(
      /^PATCHED\(DECIMAL/,
    );
  });

  it.each([
    [{ ...regions, encoding: 'BITPACK' as const }],
    [{ ...measures, encoding: 'DECIMAL' as const }],
    [{ ...skew, encoding: 'AFFINE' as const }],
    [{ ...skew, encoding: 'BITS' as const }],
  ])('that does not apply is refused', (column) => {
    expect(() => writeTable([column])).toThrow(
      expect.objectContaining({ code: 'ERR_VALUE', argument: 'encoding' }) as Error,
    );
  });
});

describe('the report', () => {
  it('lists the losers with their sizes, the fewest bytes first', () => {
    const { page } = oneColumn(skew, { mode: 'smallest' });
    const names = page.candidates.map(({ encoding }) => encoding);
    expect(names[0]).toBe(page.encoding);
    expect(names).toEqual(expect.arrayContaining(['PLAIN', 'BITPACK', 'ENTROPY']));
    expect(page.candidates.map(({ bytes }) => bytes)).toEqual(
      page.candidates.map(({ bytes }) => bytes).toSorted((a, b) => a - b),
    );
    expect(page.candidates.find(({ encoding }) => encoding === 'PLAIN')!.bytes).toBe(4 * ROWS);
    expect(page.candidates[0]!.bytes).toBe(page.bodyBytes);
  });

  it('adds up to the file', () => {
    const { bytes, reports } = writeTable([ids, amounts, regions, skew], { rowGroupRows: 7000, pageRows: 2048 });
    const pages = reports.reduce((sum, { bytes: chunk }) => sum + chunk, 0);
    expect(pages).toBe(readTable(bytes).footer.footerOffset - 4);
    for (const { bytes: chunk, pages: list, dictionary } of reports)
      expect(list.reduce((sum, { pageBytes }) => sum + pageBytes, dictionary?.pageBytes ?? 0)).toBe(chunk);
  });
});

describe('pages that follow each other', () => {
  const PAGE = 8192;
  const kinds: readonly ((row: number) => number)[] = [
    () => random.integer(1000),
    (row) => Math.floor(row / 500) * 7919,
    () => Math.floor(-Math.log(1 - random.number()) * 20),
    (row) => row * 3 + random.integer(3),
    () => (random.integer(60) === 0 ? random.integer(2 ** 30) : random.integer(12)),
  ];
  const values = (kind: number): Int32Array => Int32Array.from({ length: PAGE }, (_, row) => kinds[kind]!(row));
  const of = (pages: readonly Int32Array[]) =>
    writeTable([{ name: 'x', type: 'int32', values: Int32Array.from(pages.flatMap((page) => [...page])) }], {
      pageRows: PAGE,
      rowGroupRows: PAGE * pages.length,
    }).reports[0]!.pages;

  it('are stored as each would be alone, whatever stood before', () => {
    const pages = [0, 1, 2, 3, 4, 4, 3, 2, 1, 0, 0, 0, 2, 2].map(values);
    expect(of(pages).map(({ encoding, pageBytes }) => ({ encoding, pageBytes }))).toEqual(
      pages.map((page) => {
        const { encoding, pageBytes } = of([page])[0]!;
        return { encoding, pageBytes };
      }),
    );
  });

  it('are sized by what came off well before: of the others a share of their bytes is told', () => {
    const [first, second] = of([values(4), values(4)]);
    expect(second!.encoding).toBe(first!.encoding);
    const sized = new Map(
      first!.candidates.filter(({ estimated }) => !estimated).map(({ encoding, bytes }) => [encoding, bytes]),
    );
    const shares = second!.candidates.filter(({ encoding, estimated }) => estimated && sized.has(encoding));
    expect(shares.length).toBeGreaterThan(0);
    for (const { encoding, bytes } of shares) expect(bytes).toBe(sized.get(encoding));
  });
});

describe('DEFLATE', () => {
  it('is kept where it is smaller, and not for packed numbers that it hardly shortens', () => {
    const lines: TestColumn = {
      name: 'l',
      type: 'string',
      values: Array.from({ length: 3000 }, (_, i) => `GET /items/${i}/page?session=${random.uint32()} HTTP/1.1`),
    };
    const few = { ...lines, values: lines.values.slice(0, 300) } as TestColumn;
    expect(oneColumn(few).page).toMatchObject({ encoding: 'PLAIN', codec: 'DEFLATE' });
    // DEFLATE finds little in random numbers; in long phrases that come again soon it finds much, more than there can
    // be symbols for.
    expect(oneColumn(lines, { mode: 'fast' }).page).toMatchObject({ encoding: 'ONPAIR', codec: 'NONE' });
    const phrases = Array.from({ length: 1001 }, () =>
      Array.from({ length: 40 }, () => random.uint32().toString(36)).join(' '),
    );
    const prose: TestColumn = {
      name: 'p',
      type: 'string',
      values: Array.from({ length: 3000 }, (_, i) => `${i} ${phrases.slice(i / 3, i / 3 + 2).join(', ')}`),
    };
    expect(oneColumn(prose).page).toMatchObject({ encoding: 'BLOCKS', codec: 'NONE' });
    // Where nothing but bytes counts, also such that none of it can be read alone.
    expect(oneColumn(prose, { mode: 'smallest' }).page).toMatchObject({ encoding: 'MATCHES', codec: 'NONE' });
    // Sorted ones are stored without what they share, but where time counts most.
    const keys: TestColumn = { ...prose, values: Array.from({ length: 9000 }, (_, i) => `user:${1e7 + 7 * i}`) };
    const mixed: TestColumn = {
      ...prose,
      values: Array.from({ length: 9000 }, (_, i) => `${(i * 7919) % 9001}:${i}`),
    };
    for (const mode of ['default', 'fast'] as const) {
      const isFront = [keys, mixed].map((column) => oneColumn(column, { mode }).page.encoding.startsWith('FRONT'));
      expect(isFront, mode).toEqual([mode === 'default', false]);
    }
    expect(oneColumn(amounts).page.codec).toBe('NONE');
    const repeating = Int32Array.from({ length: ROWS }, (_, i) => ((i % 500) * 7919) % 100_003);
    expect(oneColumn({ name: 'r', type: 'int32', values: repeating }).page.codec).toBe('DEFLATE');
    expect(oneColumn({ name: 'r', type: 'int32', values: repeating }, { mode: 'plain' }).page.codec).toBe('NONE');
  });

  it('tells what it consumed, and stops at what was asked for', () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i % 7);
    const deflated = deflate(bytes, 6);
    expect(inflate(deflated, 1000)).toEqual({ bytes, consumed: deflated.length });
    expect(inflate(Uint8Array.of(...deflated, 9), 1000)?.consumed).toBe(deflated.length);
    expect(inflate(deflated, 999)).toBeNull();
    expect(inflate(deflated.subarray(0, -2), 1000)).toBeNull();
  });
});

describe('decimals', () => {
  const split = (values: number[]) => splitDecimals(Float64Array.from(values));

  it('take the smallest exponent that serves', () => {
    expect(split([1, 2, 3])).toMatchObject({ exponent: 0, integers: Float64Array.of(1, 2, 3) });
    expect(split([1.5, 2.25])).toMatchObject({ exponent: 2, integers: Float64Array.of(150, 225) });
    expect(split([1e-22])?.exponent).toBe(22);
  });

  it('set aside what is none: -0, NaN, infinities, more digits', () => {
    const values = [0.5, -0, 1.5, NaN, 2.5, Infinity, Math.PI, ...Array<number>(60).fill(3.5)];
    expect([...split(values)!.exceptions]).toEqual([1, 3, 5, 6]);
    expect([...split(values)!.integers.subarray(0, 7)]).toEqual([5, 5, 15, 15, 25, 25, 25]);
    expect([...split([NaN, NaN, ...Array<number>(60).fill(3.5)])!.integers.subarray(0, 3)]).toEqual([35, 35, 35]);
  });

  it('are not found in random doubles', () => {
    expect(split(Array.from({ length: 500 }, () => random.number()))).toBeNull();
    expect(split([NaN, NaN])).toBeNull();
  });
});
