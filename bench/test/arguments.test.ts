import { expect, test } from 'vitest';
import { parseArguments, parseSide } from '../src/arguments.ts';

test('suites, lists and peer files', () => {
  expect(
    parseArguments([
      'w1',
      '--quick',
      '--peers',
      'colstore,numpy-memmap/take,./mine.mjs',
      '--peers',
      'other.py',
      '--tasks',
      'a,b',
      '--rounds',
      '3',
    ]),
  ).toEqual({
    command: 'run',
    words: ['w1'],
    quick: true,
    cold: false,
    install: false,
    resume: false,
    save: false,
    only: [],
    rounds: 3,
    clock: 'wall',
    mode: 'default',
    tasks: ['a', 'b'],
    peers: ['colstore', 'numpy-memmap/take'],
    peerFiles: ['./mine.mjs', 'other.py'],
  });
});

test("a package manager's -- is no argument", () => {
  expect(parseArguments(['--', '--quick']).quick).toBe(true);
});

test('commands', () => {
  expect(parseArguments([])).toMatchObject({ command: 'run', words: [] });
  expect(parseArguments(['list'])).toMatchObject({ command: 'list', words: [] });
  expect(parseArguments(['ab', 'w1', 'a', 'x/y', 'x/z'])).toMatchObject({
    command: 'ab',
    words: ['w1', 'a', 'x/y', 'x/z'],
  });
  expect(parseArguments(['remote', '--quick'])).toMatchObject({ command: 'remote', words: [], quick: true });
  expect(parseArguments(['w1', '--help']).command).toBe('help');
});

test.each([['--rounds=0'], ['--rounds=1.5'], ['--rounds=x'], ['--clock=sun'], ['--unknown']])(
  '%s is refused',
  (word) => {
    expect(() => parseArguments([word])).toThrow();
  },
);

test('the sides of a comparison', () => {
  expect(parseSide('colstore/sync-x2')).toEqual({ target: 'colstore/sync-x2', variant: null, environment: {} });
  expect(parseSide('colstore/sync-x2,A=1,B_C=/x=y')).toEqual({
    target: 'colstore/sync-x2',
    variant: null,
    environment: { A: '1', B_C: '/x=y' },
  });
  expect(parseSide('../old/dist/peers/colstore.js:sync-x2,A=1')).toEqual({
    target: '../old/dist/peers/colstore.js',
    variant: 'sync-x2',
    environment: { A: '1' },
  });
  expect(() => parseSide('a/b,nothing')).toThrow(/NAME=value/);
});
