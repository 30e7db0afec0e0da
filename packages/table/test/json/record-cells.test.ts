// What a scan finds in records, and what it leaves, is what the parser of the language gives, of whatever text.
import { createRandom } from '@colkit/testkit';
import { expect, test } from 'vitest';
import { formOf } from '../../src/json/cell-forms.ts';
import { cellScalar } from '../../src/json/cell-scalars.ts';
import { findRecords } from '../../src/json/find-records.ts';
import { NameTable } from '../../src/json/name-table.ts';
import { NESTED, parseRecord } from '../../src/json/parse-record.ts';
import type { JsonScalar, Members, OfNested } from '../../src/json/parse-record.ts';
import { RecordCells } from '../../src/json/record-cells.ts';
import { isWellFormed } from '../../src/values/well-formed.ts';

const NAMES = ['a', 'b', 'long name', 'é', 'q"', '', '10', '__proto__', 'constructor', 'a1', 'tab\t', '\u{1F600}'];
const PLAIN = [
  '0',
  '1',
  '-17',
  '123456789012345',
  '0.1',
  '-0.5',
  '76.65',
  '-0',
  'true',
  'false',
  'null',
  '""',
  '"x"',
  '"é\u{1F600}"',
  '"2024-05-01"',
  '"a\\"b"',
  '"\\u0041\\u00e9\\ud83d\\ude00 and more than eight bytes"',
  '"\\/\\b\\f\\n\\r\\t\\\\"',
];
const OTHERS = [
  '1.0',
  '-0.0',
  '0.000001',
  '1234567890123456',
  '0.44906198748742343',
  '-123456789012345678901234567890',
  '9007199254740991',
  '9007199254740993',
  '1e999',
  '-1.5e+3',
  '1e',
  '1e+',
  '2e-400',
  '1E-7',
  '"\\ud83d"',
  '"\\ude00"',
  '"\\u0000"',
  '"\\u00"',
  '"\\x"',
  '[1]',
  '[ "x\\u0041" ]',
  '[null]',
  '[2,3]',
  '{"a":1}',
  '[ ]',
  '{ "k" : [ {} , "a b\\"]" ] , "l" : 1e5 }',
  '[[], [1, [2, {}]]]',
  '[1,]',
  '{"k"}',
  '[1 2]',
  '["\\ud83d"]',
  '[1}',
  '"}"',
  '",\\"b\\":1"',
  '"\u2028"',
  '01',
  '1.',
  '.5',
  '-',
  '+1',
  'nul',
  'nulll',
  "'x'",
  '"open',
  '1 2',
  'NaN',
  '"\t"',
  '-01',
  '1.5.2',
  '0x10',
];

/** By the parser of the language; null: no row. */
function parsed(
  text: string,
  ofNested: OfNested,
  isRead: (name: string) => boolean,
): ReadonlyMap<string, JsonScalar> | null {
  const members = parseRecord(text, ofNested, isRead);
  if (typeof members === 'string' || members.refused !== null) return null;
  return new Map(members.names.map((name, index) => [name, members.values[index] as JsonScalar]));
}

test.each([1, 2, 3, 4, 5, 6])('the values of every record (%i)', (seed) => {
  const random = createRandom(seed);
  const given = random.integer(3) === 0 ? NAMES.filter(() => random.integer(2) > 0) : null;
  const isRead = (name: string): boolean => given === null || given.includes(name);
  const space = (): string => random.pick(['', '', '', ' ', '\t', '\r']);
  const order = NAMES.filter(() => random.integer(3) > 0);
  const names = new NameTable();
  const known: string[] = [];
  const learn = (name: string): void => {
    if (known.includes(name)) return;
    known.push(name);
    names.add(name);
  };
  for (const name of given ?? []) learn(name);
  const nested = random.pick(['refuse', 'text', 'single'] as const);
  const cells = new RecordCells(names, given !== null, nested);
  let plain = 0;
  for (let turn = 0; turn < 40; turn++) {
    // What was cut out of a pair of surrogates is no text.
    const texts = Array.from({ length: 150 }, () => {
      const some = (random.integer(40) === 0 ? NAMES : order).filter(() => random.integer(6) > 0);
      if (random.integer(50) === 0) some.reverse();
      const valueOf = (): string => random.pick(random.integer(30) === 0 ? OTHERS : PLAIN);
      const nameOf = (name: string): string =>
        random.integer(60) === 0 ? JSON.stringify(name).replace('a', '\\u0061') : JSON.stringify(name);
      const members = some.map((name) => `${space()}${nameOf(name)}${space()}:${space()}${valueOf()}${space()}`);
      if (random.integer(40) === 0) members.push('"a":7');
      const text = `{${members.join(',')}}${space()}`;
      if (random.integer(12) !== 0) return text;
      const at = random.integer(text.length);
      const other = random.pick(['', '"', ',', '}', '{', ':', '0', ' ', '\\', '\u0000']);
      return text.slice(0, at) + other + text.slice(at + 1);
    }).map((text) => Buffer.from(text).toString());
    const bytes = new TextEncoder().encode(texts.join('\n'));
    const records = findRecords(bytes, 'lines', true, 'begun');
    let left = 0;
    const behind = cells.read(bytes, records, 0, true, (text) => {
      left += 1;
      const members = text === null ? 'no text' : parseRecord(text, NESTED[nested], isRead);
      // Numbers beyond all doubles and half surrogates make no row where a file is read; here they are no JSON.
      if (typeof members === 'string' || members.refused !== null || !members.values.every(isTaken)) return null;
      for (const name of members.names) learn(name);
      return members satisfies Members;
    });
    expect(behind).toBe(records.starts.length);
    const wanted = texts
      .map((text) => parsed(text, NESTED[nested], isRead))
      .filter((row) => row !== null && [...row.values()].every(isTaken));
    expect(cells.rowCount).toBe(wanted.length);
    const found: unknown[] = [];
    const expected: unknown[] = [];
    const [counts, forms] = [known.map(() => 0), known.map(() => 0)];
    for (const [row, members] of wanted.entries()) {
      for (const [column, name] of known.entries()) {
        const value = members?.get(name);
        const cell = row * cells.stride + column;
        const text = texts[cells.rowRecords[row] as number];
        // A null is not what a record does not have.
        found.push([text, name, cellScalar(cells, cell), cells.ends[cell] !== 0]);
        expected.push([text, name, value ?? null, members?.has(name) === true]);
        if (value === undefined) continue;
        forms[column] = (forms[column] as number) | formOf(value);
        if (value !== null) counts[column] = (counts[column] as number) + 1;
      }
    }
    expect(found).toEqual(expected);
    for (const column of known.keys()) {
      expect(cells.countOf(column)).toBe(counts[column]);
      expect(cells.formsOf(column) | TOLD_BY_WRITING).toBe((forms[column] as number) | TOLD_BY_WRITING);
    }
    plain += cells.rowCount - left;
  }
  expect(plain).toBeGreaterThan(3000);
});

/** Of fractions that are whole numbers, exponents and escapes at the beginning, the value does not tell the form. */
const TOLD_BY_WRITING = 4 | 8 | 16 | 32 | 64 | 128;

function isTaken(value: JsonScalar): boolean {
  return (typeof value !== 'number' || Number.isFinite(value)) && (typeof value !== 'string' || isWellFormed(value));
}

test('rows that take too many cells are several reads; names come in the midst', () => {
  const names = new NameTable();
  const cells = new RecordCells(names, false, 'refuse');
  const texts = Array.from({ length: 6000 }, (_, row) => `{"same":${String(row)},"name ${String(row)}":true}`);
  const bytes = new TextEncoder().encode(texts.join('\n'));
  const records = findRecords(bytes, 'lines', true, 'begun');
  let rows = 0;
  for (let record = 0; record < texts.length; ) {
    const first = record;
    record = cells.read(bytes, records, record, false, (text) => {
      const members = parseRecord(text ?? '', NESTED.refuse, () => true) as Members;
      for (const name of members.names) if (!names.columnOfName.has(name)) names.add(name);
      return members;
    });
    expect(record).toBeGreaterThan(first);
    expect(cells.rowCount * cells.stride).toBeLessThan(2 ** 23);
    for (let row = 0; row < cells.rowCount; row++) {
      expect(cellScalar(cells, row * cells.stride)).toBe(rows + row);
      const own = names.columnOfName.get(`name ${String(rows + row)}`) ?? -1;
      expect(cellScalar(cells, row * cells.stride + own)).toBe(true);
    }
    rows += cells.rowCount;
  }
  expect(rows).toBe(6000);
});
