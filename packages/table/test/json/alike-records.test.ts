// What is read off a record without the parser of the language is what that parser gives, of whatever text.
import { createRandom } from '@colkit/testkit';
import { expect, test } from 'vitest';
import { AlikeRecords } from '../../src/json/alike-records.ts';
import { NESTED, parseRecord } from '../../src/json/parse-record.ts';

const NAMES = ['a', 'b', 'long name', 'é', 'q"', '', '10', '__proto__', 'constructor', 'a1'];
const PLAIN = [
  '0',
  '-0',
  '1',
  '-17',
  '123456789012345',
  '0.1',
  '-0.5',
  '76.65',
  '1.0',
  '0.000001',
  '12345678.1234567',
  'true',
  'null',
  '""',
  '"x"',
  '"é\u{1F600}"',
];
const OTHERS = [
  '1234567890123456',
  '0.44906198748742343',
  '-123456789012345678901234567890',
  '9007199254740992',
  '9007199254740991',
  '1e999',
  '-1.5e+3',
  '1e',
  '1e+',
  '2e-400',
  '123456789.1234567',
  '9007199254740993',
  '1e3',
  '1E-7',
  '"a\\"b"',
  '"\\u0041"',
  '"tab\\t"',
  '[1]',
  '{"a":1}',
  '"}"',
  '",\\"b\\":1"',
  '"\u2028"',
  '01',
  '1.',
  '.5',
  '-',
  '+1',
  'nul',
  "'x'",
  '"open',
  '1 2',
  'NaN',
  '"\t"',
  '-01',
  '00',
  '1.5.2',
  '0x10',
  'false',
];

test.each([1, 2, 3, 4, 5, 6])('whatever is parsed (%i)', (seed) => {
  const random = createRandom(seed);
  const alike = new AlikeRecords();
  const isRead = random.pick([() => true, (name: string) => name !== 'b', (name: string) => name.length > 1]);
  const space = (): string => random.pick(['', '', '', ' ', '\t', '\r\n']);
  const order = NAMES.filter(() => random.integer(3) > 0);
  let plain = 0;
  for (let turn = 0; turn < 6000; turn++) {
    const names = (random.integer(40) === 0 ? NAMES : order).filter(() => random.integer(6) > 0);
    if (random.integer(50) === 0) names.reverse();
    const valueOf = (): string => random.pick(random.integer(40) === 0 ? OTHERS : PLAIN);
    const members = names.map((name) => `${space()}${JSON.stringify(name)}${space()}:${space()}${valueOf()}${space()}`);
    let text = `{${members.join(',')}}${space()}`;
    if (random.integer(10) === 0) {
      const at = random.integer(text.length);
      text =
        text.slice(0, at) + random.pick(['', '"', ',', '}', '{', ':', '0', ' ', '\\', '\u0000']) + text.slice(at + 1);
    }
    const found = alike.parse(text);
    const wanted = parseRecord(text, NESTED.refuse, isRead, (written) => alike.learn(written, isRead));
    if (found === null) continue;
    plain += 1;
    expect([text, found]).toEqual([text, wanted]);
  }
  expect(plain).toBeGreaterThan(1000);
});

test('names that never come again are not tried for ever', () => {
  const alike = new AlikeRecords();
  let tried = 0;
  for (let row = 0; row < 20_000; row++) {
    const text = `{"name ${String(row)}":1}`;
    if (alike.parse(text) !== null) tried += 1;
    parseRecord(
      text,
      NESTED.refuse,
      () => true,
      (written) => alike.learn(written, () => true),
    );
  }
  expect(tried).toBe(0);
});
