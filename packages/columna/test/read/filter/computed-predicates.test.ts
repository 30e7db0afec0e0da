// Predicates that compute, and those with an `or`, over integers at the edges of every type, with nulls and without,
// of pages that hold them in every way, with the addon and without: against the same arithmetic on bigints, row by row.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultBackend } from '@colkit/io';
import { typed } from '@colkit/table';
import { afterAll, afterEach, describe, it } from 'vitest';
import { openSync, writeSync } from '../../../src/index.ts';
import type { ForcedEncoding } from '../../../src/index.ts';
import { backendsToAsk } from '../../support/backends.ts';
import { expectSame } from '../../support/same-items.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-computed-'));
afterAll(() => rmSync(folder, { recursive: true }));
const BACKENDS = backendsToAsk();
afterEach(() => setDefaultBackend('js'));

const ROWS = 800;
type Value = bigint | null;
type IntegerType = 'int8' | 'int16' | 'int32' | 'int64' | 'uint8' | 'uint16' | 'uint32' | 'uint64';

const P53 = 2n ** 53n;
const EDGES: Readonly<Record<IntegerType, readonly bigint[]>> = {
  int8: [-128n, -1n, 0n, 1n, 127n],
  int16: [-32_768n, -1n, 0n, 1n, 32_767n],
  int32: [-(2n ** 31n), -1n, 0n, 1n, 2n ** 31n - 1n],
  int64: [-(2n ** 63n), -P53 - 1n, -P53, -1n, 0n, 1n, P53 - 1n, P53, P53 + 1n, 2n ** 63n - 1n],
  uint8: [0n, 1n, 255n],
  uint16: [0n, 1n, 65_535n],
  uint32: [0n, 1n, 2n ** 32n - 1n],
  uint64: [0n, 1n, P53, P53 + 1n, 2n ** 63n, 2n ** 64n - 1n],
};

/** How a column's values lie: what packs them differently. */
const SHAPES: Readonly<Record<string, (row: number, edges: readonly bigint[]) => bigint>> = {
  edges: (row, edges) => edges[(row * row + (row >>> 3)) % edges.length]!,
  small: (row) => BigInt((row * 7919) % 100),
  runs: (row) => BigInt((row >>> 6) % 3),
  outliers: (row, edges) => (row % 401 === 7 ? edges.at(-1)! : BigInt(row % 50)),
  'a line': (row) => BigInt(row % 120),
};

const PREDICATES: readonly (readonly [string, (a: bigint, b: bigint) => boolean | null])[] = [
  ['a * 2 > b', (a, b) => a * 2n > b],
  ['a - b == 0', (a, b) => a === b],
  ['a != b', (a, b) => a !== b],
  ['not (a + b <= 100)', (a, b) => !(a + b <= 100n)],
  ['a % 7 == 3', (a) => ((a % 7n) + 7n) % 7n === 3n],
  ['a // b >= 2', (a, b) => (b === 0n ? null : (a - (((a % b) + b) % b)) / b >= 2n)],
  ['a > 40 and a * b < 1000', (a, b) => a > 40n && a * b < 1000n],
  ['a == 99 and a * 3 > b', (a, b) => a === 99n && a * 3n > b],
];

/** Each term alone is told where it is null. */
const ALTERNATIVES: readonly (readonly [string, (a: Value, b: Value, word: string) => boolean])[] = [
  ["a > 90 or word == 'w3'", (a, _, word) => (a !== null && a > 90n) || word === 'w3'],
  ['a < 5 or b > 60 or a == 50', (a, b) => (a !== null && (a < 5n || a === 50n)) || (b !== null && b > 60n)],
  [
    "(a > 10 and word == 'w1') or (b < 3 and not (word == 'w2'))",
    (a, b, word) => (a !== null && a > 10n && word === 'w1') || (b !== null && b < 3n && word !== 'w2'),
  ],
  [
    "a >= 1 and (b == 1 or word == 'w0')",
    (a, b, word) => a !== null && a >= 1n && ((b !== null && b === 1n) || word === 'w0'),
  ],
  ["a is null or word like 'w4%'", (a, _, word) => a === null || word.startsWith('w4')],
  // As many as the addon is asked for, and one more.
  ...[64, 65].map((count): [string, (a: Value) => boolean] => [
    Array.from({ length: count }, (_, n) => `(a > ${String(2 * n)} and a < ${String(2 * n + 2)})`).join(' or '),
    (a) => a !== null && a > 0n && a < 2 * count && a % 2n === 1n,
  ]),
];

function columnOf(type: IntegerType, shape: string, shift: number, nulls: boolean): Value[] {
  const edges = EDGES[type];
  return Array.from({ length: ROWS }, (_, row) =>
    nulls && (row * 31 + shift) % 5 === 0 ? null : SHAPES[shape]!(row + shift, edges),
  );
}

const PACKED: readonly (ForcedEncoding | null)[] = [null, 'PLAIN', 'DICTIONARY'];
let files = 0;

describe.each(Object.keys(EDGES) as IntegerType[])('%s', (type) => {
  it.each(Object.keys(SHAPES))('%s', (shape) => {
    for (const nulls of [false, true]) {
      const a = columnOf(type, shape, 0, nulls);
      const b = columnOf(type, shape === 'edges' ? 'small' : shape, 11, nulls);
      const word = Array.from({ length: ROWS }, (_, row) => `w${String((row >>> 1) % 6)}`);
      const row = Uint32Array.from({ length: ROWS }, (_, i) => i);
      const expected = [
        ...PREDICATES.map(([where, holds]) => {
          const withB = where.includes('b');
          return rowsWhere((at) => {
            const [left, right] = [a[at]!, b[at]!];
            return left !== null && (right !== null || !withB) && holds(left, right ?? 0n) === true;
          });
        }),
        ...ALTERNATIVES.map(([, holds]) => rowsWhere((at) => holds(a[at]!, b[at]!, word[at]!))),
      ];
      for (const encoding of PACKED) {
        // The next file is written by the other one.
        setDefaultBackend(BACKENDS[files % BACKENDS.length]!);
        const path = join(folder, `${String(files++)}.cna`);
        const encodings = encoding === null ? {} : { encodings: { a: encoding, b: encoding } };
        writeSync(
          path,
          { a: typed(type, a), b: typed(type, b), word, row },
          { pageRows: 512, durability: 'none', ...encodings },
        );
        for (const backend of BACKENDS) {
          setDefaultBackend(backend);
          using table = openSync(path);
          for (const [index, [where]] of [...PREDICATES, ...ALTERNATIVES].entries())
            expectSame(
              table.where(where).column('row').toArraySync() as Uint32Array,
              expected[index]!,
              `${where}, ${String(encoding)}, ${String(nulls)}, ${backend}`,
            );
        }
      }
    }
  });
});

function rowsWhere(holds: (row: number) => boolean): Uint32Array {
  const rows = new Uint32Array(ROWS);
  let count = 0;
  for (let row = 0; row < ROWS; row++) if (holds(row)) rows[count++] = row;
  return rows.slice(0, count);
}
