// The reader in one file (docs/formats/columna-in-one-file.ts) beside the reader of this package, with the addon and
// without: all encodings, every mode, streamed and appended files, and files with one wrong byte whose checksums are
// right.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isColkitError, setDefaultBackend } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { RefusedError, readCna } from '../../../../docs/formats/columna-in-one-file.ts';
import type { Column, TypeName, Value } from '../../../../docs/formats/columna-in-one-file.ts';
import { readSync } from '../../src/index.ts';
import { backendsToAsk } from '../support/backends.ts';
import { withOneByteChanged } from '../support/damaged.ts';
import { samples } from '../support/samples.ts';
import { expectedRows, readTable, writeTable } from '../support/table.ts';

const READER = fileURLToPath(new URL('../../../../docs/formats/columna-in-one-file.ts', import.meta.url));
const SPECIFICATION = new URL('../../../../docs/formats/columna.md', import.meta.url);
const BACKENDS = backendsToAsk();
afterEach(() => setDefaultBackend('js'));
const files = samples().map((sample) => ({ ...sample, ...writeTable(sample.columns, sample.options) }));

/** The bit pattern of a fixed-width value as decimal text, byte strings as hexadecimal: the form of `expectedRows`. */
function textOf(value: Value, type: TypeName): string | null {
  if (value === null || typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (type === 'float64') return String(new BigUint64Array(Float64Array.of(value as number).buffer)[0]);
  if (type === 'float32') return String(new Uint32Array(Float32Array.of(value as number).buffer)[0]);
  const bits = /8$/.test(type) ? 8 : /16$/.test(type) ? 16 : /32$/.test(type) ? 32 : 64;
  return String(BigInt.asUintN(bits, BigInt(value)));
}

const rowsOf = ({ values, type }: Column) => values.map((value) => textOf(value, type));

/** JavaScript numbers do not keep the payload of a NaN. */
const isPayload = (column: { readonly name: string; readonly type: string }) =>
  column.type.startsWith('float') && column.name !== 'float64';

describe('the reader in one file', () => {
  it.each(files.map((file) => [file.name, file] as const))('reads %s', (_, { columns, bytes }) => {
    const read = readCna(bytes).columns;
    expect(read.map(({ name, type }) => ({ name, type }))).toEqual(columns.map(({ name, type }) => ({ name, type })));
    for (const [number, column] of columns.entries()) {
      const [found, expected] = [rowsOf(read[number]!), expectedRows(column)];
      if (isPayload(column)) expect(quieted(found, column.type), column.name).toEqual(quieted(expected, column.type));
      else expect(found, column.name).toEqual(expected);
    }
  });

  it('reads the file of the specification', () => {
    const [, dump] = /```file\n([\s\S]*?)```/.exec(readFileSync(SPECIFICATION, 'utf8'))!;
    const bytes = Buffer.from(
      [...dump!.matchAll(/^[0-9A-F]{4} {2}(.*)$/gm)].map(([, line]) => line!.replaceAll(' ', '')).join(''),
      'hex',
    );
    expect(readCna(bytes)).toEqual({
      rowCount: 3,
      columns: [{ name: 'n', type: 'int64', nullable: false, values: [5n, 6n, 7n] }],
    });
  });

  it('refuses what the reader of this package refuses, and nothing else', () => {
    const random = createRandom(21);
    const small = files.filter(({ bytes }) => bytes.length < 7000);
    const tally = { refused: 0, read: 0 };
    for (let number = 0; number < 300; number++) {
      const { name, bytes } = random.pick(small);
      const changed = withOneByteChanged(bytes, random);
      const found = attempt(() => readCna(changed));
      for (const backend of BACKENDS) {
        setDefaultBackend(backend);
        const own = attempt(() => readSync(changed));
        const told = typeof found === 'string' ? found : typeof own === 'string' ? own : 'both read';
        expect(typeof found, `${name} ${number}, ${backend}: ${told}`).toBe(typeof own);
      }
      tally[typeof found === 'string' ? 'refused' : 'read'] += 1;
      if (typeof found === 'string') continue;
      const expected = readTable(changed).columns;
      for (const [column, read] of found.columns.entries()) {
        const { type, values } = expected[column]!;
        expect(quieted(rowsOf(read), type), `${name} ${number}`).toEqual(quieted(values, type));
      }
    }
    expect(Math.min(tally.refused, tally.read)).toBeGreaterThan(75);
  });

  it('is one file of at most 577 lines that imports nothing but node:zlib', () => {
    const text = readFileSync(READER, 'utf8');
    expect([...text.matchAll(/^import .*? from '(.*)';$/gm)].map(([, name]) => name)).toEqual(['node:zlib']);
    const lines = text.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(577);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });
});

/** Patterns of floats with every NaN as the same text. */
function quieted(texts: readonly (string | null)[], type: string): (string | null)[] {
  if (!type.startsWith('float')) return [...texts];
  return texts.map((text) => (text === null ? null : Number.isNaN(floatOf(BigInt(text), type)) ? 'NaN' : text));
}

function floatOf(pattern: bigint, type: string): number {
  return type === 'float32'
    ? new Float32Array(Uint32Array.of(Number(pattern)).buffer)[0]!
    : new Float64Array(BigUint64Array.of(pattern).buffer)[0]!;
}

/** What an attempt gives, or why it was refused. */
function attempt<T>(action: () => T): T | string {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof RefusedError) && !isColkitError(error)) throw error;
    return error.message;
  }
}
