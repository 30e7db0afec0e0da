import { expect, expectTypeOf, test } from 'vitest';
import { ArgumentError, checkOptions, option } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { thrownBy } from '../support/thrown.ts';

interface Limits {
  readonly maxColumns?: number;
}
interface Options {
  readonly overwrite?: boolean;
  readonly rows?: number;
  readonly name?: string | undefined;
  readonly mode?: 'fast' | 'small';
  readonly columns?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number) => void;
  readonly limits?: Limits;
  readonly out?: Uint8Array;
}
const SET: OptionSet<Options> = {
  overwrite: option.flag,
  rows: option.count('rows', 1),
  name: option.text,
  mode: option.word('fast', 'small'),
  columns: option.names,
  signal: option.signal,
  onProgress: option.callback(),
  limits: option.inner<Limits>({ maxColumns: option.count('columns') }),
  out: option.object('a Uint8Array'),
};
const check = (options: unknown): void => checkOptions('write', SET, options as Options | undefined);

test('known options of their kinds pass; undefined is no choice', () => {
  check(undefined);
  check({});
  check(Object.create(null));
  check({ overwrite: undefined, limits: undefined });
  check({
    overwrite: false,
    rows: 1,
    name: '',
    mode: 'small',
    columns: [],
    signal: new AbortController().signal,
    onProgress: async () => Promise.resolve(),
    limits: { maxColumns: 0 },
    out: new Uint8Array(1),
  });
});

test.each<[object, string]>([
  [{ overwite: true }, 'write: unknown option "overwite"; did you mean "overwrite"?'],
  [{ overwite: undefined }, 'write: unknown option "overwite"; did you mean "overwrite"?'],
  [Object.create({ overwite: true }) as object, 'write: unknown option "overwite"; did you mean "overwrite"?'],
  [
    { headers: {} },
    'write: unknown option "headers"; there are overwrite, rows, name, mode, columns, signal, onProgress, limits, out',
  ],
  [{ toString: 1 }, 'write: unknown option "toString"; there are'],
  [{ ['__proto__']: 1 }, 'write: unknown option "__proto__"; there are'],
  [{ 'a\u001b[31m\u202e': 1 }, 'write: unknown option "a\\u001b[31m\\u202e"; there are'],
  [{ limits: { maxColumn: 1 } }, 'write: unknown option "limits.maxColumn"; did you mean "limits.maxColumns"?'],
  [{ limits: { rows: 1 } }, 'write: unknown option "limits.rows"; there is limits.maxColumns'],
  [{ overwrite: 'yes' }, 'overwrite: expected true or false but found "yes"'],
  [{ rows: 0 }, 'rows: expected a count of rows, an integer from 1 on but found 0'],
  [{ rows: '3' }, 'rows: expected a count of rows, an integer from 1 on but found "3"'],
  [{ rows: 3n }, 'rows: expected a count of rows, an integer from 1 on but found 3n'],
  [{ rows: 2 ** 53 }, 'but found 9007199254740992'],
  [{ rows: null }, 'but found null'],
  [{ mode: 'slow' }, 'mode: expected one of fast, small but found "slow"'],
  [{ columns: 'a' }, 'columns: expected an array of names but found "a"'],
  [{ columns: ['a', 1] }, 'columns: expected an array of names but found 1 at position 1'],
  [{ columns: new Set(['a']) }, 'columns: expected an array of names but found an object (Set)'],
  [{ signal: {} }, 'signal: expected an AbortSignal but found an object (Object)'],
  [{ onProgress: true }, 'onProgress: expected a function but found true'],
  [{ limits: 3 }, 'limits: expected an object of options but found 3'],
  [{ limits: { maxColumns: -1 } }, 'limits.maxColumns: expected a count of columns, an integer from 0 on but found -1'],
  [{ out: null }, 'out: expected a Uint8Array but found null'],
])('%o is refused: %s', (given, text) => {
  const error = thrownBy(() => {
    check(given);
  });
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error).toMatchObject({ code: 'ERR_ARGUMENT', message: expect.stringContaining(text) as string });
});

test.each([
  null,
  'overwrite',
  3,
  1n,
  true,
  [],
  [{ overwrite: true }],
  new Map(),
  new Date(),
  Symbol('x'),
  () => ({}),
  new Uint8Array(3),
  Promise.resolve({}),
])('%s is no options', (given) => {
  expect(
    thrownBy(() => {
      check(given);
    }),
  ).toMatchObject({
    code: 'ERR_ARGUMENT',
    message: expect.stringContaining('write: options: expected an object but found ') as string,
  });
});

test('a description that is not the one of its interface does not compile', () => {
  expectTypeOf<{ overwrite: typeof option.flag }>().not.toExtend<OptionSet<Pick<Options, 'overwrite' | 'rows'>>>();
  expectTypeOf<OptionSet<Pick<Options, 'overwrite'>>>().toExtend<{ overwrite: typeof option.flag }>();
  // @ts-expect-error an option that the interface does not have
  void ({ overwrite: option.flag, more: option.flag } satisfies OptionSet<Pick<Options, 'overwrite'>>);
  // @ts-expect-error another kind
  void ({ overwrite: option.text } satisfies OptionSet<Pick<Options, 'overwrite'>>);
  // @ts-expect-error a word is missing
  void ({ mode: option.word('fast') } satisfies OptionSet<Pick<Options, 'mode'>>);
  // @ts-expect-error a word too many
  void ({ mode: option.word('fast', 'small', 'slow') } satisfies OptionSet<Pick<Options, 'mode'>>);
});
