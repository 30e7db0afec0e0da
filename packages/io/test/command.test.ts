// The parts of command lines: words into options, errors into exit codes, what goes to which stream, values into JSON.
import { PassThrough } from 'node:stream';
import { describe, expect, it, test } from 'vitest';
import { ArgumentError, IoError } from '@colkit/io';
import * as command from '@colkit/io/command';
import { UsageError, parseCommandLine, runProgram, terminalOf, toJson } from '@colkit/io/command';
import type { Command, Given, Program } from '@colkit/io/command';

const COPY: Command = {
  name: 'copy',
  summary: 'copies',
  positionals: ['FROM', 'TO'],
  optional: 1,
  options: {
    force: { kind: 'flag', short: 'f', help: 'replace' },
    rows: { kind: 'count', short: 'n', value: 'N', help: 'how many' },
    columns: { kind: 'names', value: 'A,B', help: 'which' },
    set: { kind: 'list', value: 'A=B', help: 'may be repeated' },
    to: { kind: 'text', value: 'FORM', help: 'form' },
  },
  run: () => Promise.resolve(0),
};

const recorder = (isTTY: boolean) => Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY });
const textOf = (stream: PassThrough): string => (stream.read() as string | null) ?? '';

test('the exports are these', () => {
  expect(Object.keys(command).sort()).toEqual(['Given', 'UsageError', 'count', 'fileHints', 'parseCommandLine', 'runProgram', 'startProgram', 'terminalOf', 'toJson']);
});

describe('words', () => {
  const parse = (...words: string[]): Given => parseCommandLine(COPY, words);

  it('become what each kind of option is', () => {
    const given = parse('a', '--set', 'x=1', '-f', '-n', '12', 'b', '--set', 'y=-2', '--columns', 'p, q', '--to', 'csv');
    expect([given.positionals, given.positional(1), given.positional(2)]).toEqual([['a', 'b'], 'b', '']);
    expect([given.flag('force'), given.count('rows'), given.names('columns'), given.list('set'), given.text('to')]).toEqual([true, 12, ['p', 'q'], ['x=1', 'y=-2'], 'csv']);
    const none = parse('a');
    expect([none.flag('force'), none.count('rows'), none.names('columns'), none.list('set'), none.text('to')]).toEqual([false, undefined, undefined, [], undefined]);
  });

  it('may be negative numbers, which are no options', () => {
    expect(parse('-1', '-20').positionals).toEqual(['-1', '-20']);
    expect(parse('a', '--to', '-3').text('to')).toBe('-3');
    expect(parse('a', '--set', '-4').list('set')).toEqual(['-4']);
    expect(() => parse('a', '-n', '-5').count('rows')).toThrow('--rows: expected a count but found "-5"');
  });

  it.each([
    [[], /expected FROM/], [['a', 'b', 'c'], /no more arguments but found "c"/], [['a', '--nope'], /'--nope'/], [['a', '-n'], /argument missing/], [['a', '--force=x'], /does not take an argument/],
  ])('%j: a UsageError', (words, message) => {
    const parsing = (): Given => parse(...words);
    expect(parsing).toThrow(UsageError);
    expect(parsing).toThrow(message);
  });

  it('are checked when they are asked for', () => {
    for (const text of ['x', '1.5', '', '1e3', '99999999999999999999']) expect(() => parse('a', `--rows=${text}`).count('rows'), text).toThrow(UsageError);
    expect(() => parse('a', '--rows', '0').count('rows', 1)).toThrow('--rows: expected a count from 1 on but found "0"');
    expect(() => parse('a', '--columns', 'p,,q').names('columns')).toThrow(UsageError);
  });

  it('may repeat the last argument', () => {
    expect(parseCommandLine({ ...COPY, repeated: true }, ['a', 'b', 'c', 'd']).positionals).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('a program', () => {
  async function run(act: Command['run'], ...words: string[]) {
    const [stdout, stderr] = [recorder(false), recorder(true)];
    const program: Program = { name: 'tool', version: '1.2.3', commands: [{ ...COPY, run: act }], hints: [['pass { overwrite: true } to replace it', '-f replaces it']] };
    const code = await runProgram(program, words, terminalOf({ stdout, stderr }));
    return { code, out: textOf(stdout), err: textOf(stderr) };
  }
  const fail = (error: unknown) => () => Promise.reject(error as Error);

  it('ends with the code of its command; results and notes go to different streams, progress is taken away', async () => {
    const act: Command['run'] = (given, terminal) => {
      terminal.progress('half');
      terminal.print(given.positional(0));
      return Promise.resolve(7);
    };
    expect(await run(act, 'copy', 'a')).toEqual({ code: 7, out: 'a\n', err: '\r\u001b[2Khalf\r\u001b[2K' });
  });

  it.each([
    ['a wrong option', new UsageError('--x: wrong'), 2, 'tool copy: --x: wrong\nusage: tool copy FROM [TO] [options]\n'],
    ['an argument', new ArgumentError('ERR_ARGUMENT', 'x', 'y', 'z'), 2, 'tool copy: x: expected y but found z (ERR_ARGUMENT)\n'],
    ['a value in the data', new ArgumentError('ERR_VALUE', 'x', 'y', 'z'), 1, 'tool copy: x: expected y but found z (ERR_VALUE)\n'],
    ['a file', new IoError('ERR_EXISTS', 'create', 'p', 'is there'), 1, /^tool copy: .*\(ERR_EXISTS\)\n$/],
    ['a hint for programmers', new IoError('ERR_EXISTS', 'create', 'p', 'pass { overwrite: true } to replace it'), 1, /-f replaces it \(ERR_EXISTS\)\n$/],
    ['anything else', new Error('odd'), 1, 'tool copy: odd\n'],
  ])('%s: its exit code and one line', async (_, error, code, text) => {
    const found = await run(fail(error), 'copy', 'a');
    expect([found.code, found.out]).toEqual([code, '']);
    if (typeof text === 'string') expect(found.err).toBe(text);
    else expect(found.err).toMatch(text);
  });

  it('helps', async () => {
    const never = fail(new Error('was run'));
    for (const words of [['--help'], ['-h'], ['help']]) expect(await run(never, ...words)).toMatchObject({ code: 0, out: expect.stringMatching(/^usage: tool COMMAND …\n\n {2}copy {2}copies\n/) as string });
    for (const words of [['copy', '-h'], ['help', 'copy']]) expect(await run(never, ...words)).toMatchObject({ code: 0, out: expect.stringMatching(/^usage: tool copy FROM \[TO\] \[options\]\n[^]*-n, --rows N +how many\n/) as string });
    for (const word of ['--version', '-v']) expect(await run(never, word)).toEqual({ code: 0, out: '1.2.3\n', err: '' });
    expect((await run(never)).code).toBe(2);
    expect(await run(never, 'nope')).toEqual({ code: 2, out: '', err: 'tool: unknown command "nope" (there are copy)\n' });
  });
});

test('progress: only on a terminal, and not more often than was asked', () => {
  const write = (isTTY: boolean, everyMs?: number): string => {
    const stderr = recorder(isTTY);
    const terminal = terminalOf({ stdout: recorder(false), stderr }, everyMs);
    for (const text of ['1', '2', null, null, '3']) terminal.progress(text);
    terminal.note('done');
    return textOf(stderr);
  };
  const gone = '\r\u001b[2K';
  expect(write(true)).toBe(`${gone}1${gone}2${gone}${gone}3${gone}done\n`);
  expect(write(true, Infinity)).toBe(`${gone}1${gone}${gone}3${gone}done\n`);
  expect(write(false)).toBe('done\n');
});

test('JSON of what JSON cannot hold', () => {
  expect(toJson({ a: 5n, b: 2n ** 53n, c: NaN, d: -Infinity, e: Uint8Array.of(1, 255), f: null })).toBe('{"a":5,"b":"9007199254740992","c":"NaN","d":"-Infinity","e":"01ff","f":null}');
  expect(toJson([1], 2)).toBe('[\n  1\n]');
  expect(toJson([Buffer.of(1, 255), new Map([['PLAIN', 2n], ['__proto__', 3n]]), new Date(0)])).toBe('["01ff",{"PLAIN":2,"__proto__":3},"1970-01-01T00:00:00.000Z"]');
  expect(toJson(Uint8Array.of(10))).toBe('"0a"');
});
