// Jobs as they come out of a queue: whatever is in them, a task or a typed error; and the errors of splits.
import { isColkitError } from '@colkit/io';
import type { Split } from 'columna';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SplitError } from '../src/index.ts';
import { JOB_NAME, checkedTask, isFinal, reasonOf, scanJob } from '../src/scan-job.ts';

const split = { path: 'https://data.example/a.cna?key=secret', rows: { start: 5, end: 9 } } as Split;
const aggregates = { n: 'count' } as const;

it('bring parameters through JSON', () => {
  const params = {
    big: 2n ** 63n - 1n,
    least: -(2n ** 63n),
    numbers: Float64Array.of(1.5, NaN, -0, Infinity, -Infinity),
    bigs: BigInt64Array.of(-1n),
    bytes: Uint8Array.of(0, 255),
    blobs: [new Uint8Array(0), Buffer.from('a')],
    days: [new Date(0)],
    set: new Set(['a', null, true]),
    __proto__x: 1,
  };
  const job: unknown = JSON.parse(
    JSON.stringify(scanJob({ split, where: 'x in @set', params, aggregates, by: ['x'] })),
  );
  expect(checkedTask(JOB_NAME, job)).toEqual({
    split,
    aggregates,
    by: ['x'],
    where: 'x in @set',
    params: new Map<string, unknown>([
      ['big', 2n ** 63n - 1n],
      ['least', -(2n ** 63n)],
      ['numbers', [1.5, NaN, -0, Infinity, -Infinity]],
      ['bigs', [-1n]],
      ['bytes', Uint8Array.of(0, 255)],
      ['blobs', [new Uint8Array(0), Uint8Array.of(97)]],
      ['days', [new Date(0)]],
      ['set', ['a', null, true]],
      ['__proto__x', 1],
    ]),
  });
  expect(checkedTask(JOB_NAME, scanJob({ split, aggregates, params: new Map([['a', 10n ** 40n]]) })).params).toEqual(
    new Map([['a', 10n ** 40n]]),
  );
  for (const wrong of [{}, () => 1, Symbol('a'), undefined, new Map()])
    expect(() => scanJob({ split, aggregates, params: { wrong } })).toThrow(
      expect.objectContaining({ code: 'ERR_ARGUMENT', argument: 'params.wrong' }),
    );
});

it('are refused by a typed error where they are none', () => {
  const base = { jobVersion: 1, task: { split, aggregates, where: 'a > @b', params: { b: 1 }, by: ['a'] } };
  expect(checkedTask(JOB_NAME, base)).toMatchObject({ where: 'a > @b' });
  const refused = (name: string, job: unknown) =>
    expect(() => checkedTask(name, job)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
  refused('scan', base);
  refused(JOB_NAME, { ...base, jobVersion: 2 });
  for (const [key, value] of Object.entries({
    split: [],
    aggregates: 'count',
    where: {},
    by: [1],
    params: [],
    store: {},
  }))
    refused(JOB_NAME, { ...base, task: { ...base.task, [key]: value } });
  for (const b of [{}, { int: '1e5' }, { int: '9'.repeat(1001) }, { date: '1' }, { bytes: 'f' }, [[{}]]])
    refused(JOB_NAME, { ...base, task: { ...base.task, params: { b } } });
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('', 'task', 'split', 'params', 'aggregates'), (value, where) => {
      const job: unknown =
        where === ''
          ? value
          : where === 'task'
            ? { ...base, task: value }
            : { ...base, task: { ...base.task, [where]: value } };
      try {
        checkedTask(JOB_NAME, job);
      } catch (error) {
        expect(isColkitError(error) && error.code).toBe('ERR_ARGUMENT');
      }
    }),
  );
});

it('say why they failed, in a text', () => {
  const [typed] = [refusedJob()];
  expect([isFinal(typed), isFinal(new Error('x')), isFinal(5)]).toEqual([true, false, false]);
  expect(reasonOf(typed)).toMatch(/^ERR_ARGUMENT: job: expected/u);
  expect(reasonOf('x'.repeat(5000))).toHaveLength(2000);
  const error = new SplitError(split, reasonOf(typed), 1);
  expect(error).toMatchObject({
    code: 'ERR_ARGUMENT',
    path: 'https://data.example/a.cna',
    rows: split.rows,
    attempts: 1,
  });
  expect(error.message).toMatch(/^https:\/\/data\.example\/a\.cna: rows \[5, 9\): ERR_ARGUMENT: /u);
  expect(new SplitError(split, 'job stalled more than allowable limit', 2).code).toBe('ERR_STALLED');
  expect(new SplitError({ ...split, path: 'a?b.cna' }, 'no', 2)).toMatchObject({ code: 'ERR_SPLIT', path: 'a?b.cna' });
});

function refusedJob(): unknown {
  try {
    return checkedTask(JOB_NAME, null);
  } catch (error) {
    return error;
  }
}
