// Moments and spans of time as the commands tell them, where no row is printed: differences, and what adds up to one
// value.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { typed } from '@colkit/table';
import { writeSync as writeColstore } from 'colstore';
import { writeSync } from 'columna';
import { afterAll, expect, it } from 'vitest';
import { linesOf } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'colkit-moments-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

it('differences are ISO 8601, as rows are', async () => {
  const day = typed('datetime64[D]', ['1969-12-31', '2020-01-01', '2020-01-02']);
  writeSync(at('one.cna'), { t: typed('datetime64[us]', ['1969-12-31T23:59:59.999999', 'NaT', '2020-01-01']), day });
  writeSync(at('two.cna'), {
    t: typed('datetime64[us]', ['1969-12-31T23:59:59.999998', '2020-01-01', null]),
    day: typed('datetime64[D]', ['1969-12-31', 'NaT', '2020-01-02']),
  });
  const { code, out } = await linesOf('diff', at('one.cna'), at('two.cna'));
  expect(code).toBe(1);
  expect(out.slice(-4).map((line) => line.trim().split(/ {2,}/u))).toEqual([
    ['0', 't', '"1969-12-31T23:59:59.999999"', '"1969-12-31T23:59:59.999998"'],
    ['1', 't', '"NaT"', '"2020-01-01T00:00:00.000000"'],
    ['2', 't', '"2020-01-01T00:00:00.000000"', 'null'],
    ['1', 'day', '"2020-01-01"', '"NaT"'],
  ]);
  const json = await linesOf('diff', at('one.cna'), at('two.cna'), '--columns', 't', '--json', '-n', '2');
  expect(JSON.parse(json.out.join('\n'))).toMatchObject({
    examples: [
      { row: 0, left: '1969-12-31T23:59:59.999999Z', right: '1969-12-31T23:59:59.999998Z' },
      { row: 1, left: 'NaT', right: '2020-01-01T00:00:00.000000Z' },
    ],
  });
});

it('a span of time that is none is NaT', async () => {
  const span = typed('timedelta64[s]', ['NaT', 5n]);
  writeColstore(at('spans.cstore'), { span, t: typed('datetime64[ns]', ['NaT', '2020-01-01']) });
  const words = ['query', at('spans.cstore'), '--agg', 'a=first:span', '--agg', 'b=last:span', '--agg', 'c=first:t'];
  expect((await linesOf(...words, '--json')).out).toEqual(['{"a":"NaT","b":5,"c":"NaT"}']);
  writeColstore(at('others.cstore'), {
    span: typed('timedelta64[s]', [1n, 5n]),
    t: typed('datetime64[ns]', ['NaT', 0n]),
  });
  const { out } = await linesOf('diff', at('spans.cstore'), at('others.cstore'), '--columns', 'span');
  expect(out.at(-1)?.trim().split(/ {2,}/u)).toEqual(['0', 'span', '"NaT"', '1']);
});
