// What reaches a terminal goes through one printer, which shows what a terminal would obey; values become JSON.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toJson } from '../src/terminal/json.ts';
import { terminalOf } from '../src/terminal/terminal.ts';
import { Recorder, withoutSpinner } from './support/run.ts';

const HIDDEN = '\u001b[2J\u009b\u202e\u2066\u200e\u061c\u007f\u0000\r\n\u2028x';
const SHOWN = '\\u001b[2J\\u009b\\u202e\\u2066\\u200e\\u061c\\u007f\\u0000\\u000d\\u000a\\u2028x';

const { CI, TERM } = process.env;
beforeEach(() => {
  delete process.env['CI'];
  process.env['TERM'] = 'xterm';
});
afterEach(() => {
  if (CI !== undefined) process.env['CI'] = CI;
  if (TERM === undefined) delete process.env['TERM'];
  else process.env['TERM'] = TERM;
});

function recorded(isTTY = true, everyMs = 0) {
  const [stdout, stderr] = [new Recorder(false), new Recorder(isTTY)];
  return { terminal: terminalOf({ stdout, stderr }, everyMs), out: () => stdout.text, err: () => stderr.text };
}

test('a line is one line, whatever its text', () => {
  const { terminal, out, err } = recorded();
  terminal.print(HIDDEN);
  terminal.note(HIDDEN);
  expect([out(), err()]).toEqual([`${SHOWN}\n`, `${SHOWN}\n`]);
  terminal.progress(HIDDEN);
  terminal.progress(null);
  expect(withoutSpinner(err())).toMatch(/^[^]*\n. \\u001b\[2J\\u009b/);
});

test('JSON is the same value', () => {
  const value = { [HIDDEN]: [HIDDEN, `\\${HIDDEN}`, '\\u009b'] };
  for (const indent of [undefined, 2]) {
    const { terminal, out } = recorded();
    terminal.json(value, indent);
    const text = out();
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028]/u);
    expect(JSON.parse(text)).toEqual(value);
    expect(text.trimEnd().split('\n').length).toBe(indent === undefined ? 1 : 7);
  }
  const { terminal, out } = recorded();
  terminal.print(toJson(value));
  expect(JSON.parse(out())).toEqual(value);
});

test('progress: only on a terminal of people, and not more often than was asked', () => {
  const write = (isTTY: boolean, everyMs?: number): string => {
    const { terminal, err } = recorded(isTTY, everyMs);
    for (const text of ['one', 'two', null, null, 'three']) terminal.progress(text);
    terminal.note('done');
    return withoutSpinner(err()).replaceAll(/[^a-z\n]/g, '');
  };
  expect(write(true)).toMatch(/^(one)+(two)+(three)+done\n$/);
  expect(write(true, Infinity)).toMatch(/^(one)+(three)+done\n$/);
  expect(write(false)).toBe('done\n');
  process.env['TERM'] = 'dumb';
  expect(write(true)).toBe('done\n');
  process.env['TERM'] = 'xterm';
  process.env['CI'] = 'true';
  expect(write(true)).toBe('done\n');
  delete process.env['CI'];
});

test('the cursor comes back, and nothing stays on the line', () => {
  const { terminal, err } = recorded();
  terminal.progress('x');
  terminal.progress(null);
  // eslint-disable-next-line no-control-regex -- what a spinner writes
  expect(err()).toMatch(/^\u001b\[\?25l[^]*\u001b\[\?25h\r\u001b\[2K$/);
});

test('JSON of what JSON cannot hold', () => {
  const value = { a: 5n, b: 2n ** 53n, c: NaN, d: -Infinity, e: Uint8Array.of(1, 255), f: null };
  expect(toJson(value)).toBe('{"a":5,"b":"9007199254740992","c":"NaN","d":"-Infinity","e":"Af8=","f":null}');
  expect(toJson([1], 2)).toBe('[\n  1\n]');
  const others = [
    Buffer.of(1, 255),
    new Map([
      ['PLAIN', 2n],
      ['__proto__', 3n],
    ]),
    new Date(0),
  ];
  expect(toJson(others)).toBe('["Af8=",{"PLAIN":2,"__proto__":3},"1970-01-01T00:00:00.000Z"]');
  expect(toJson(Uint8Array.of(10))).toBe('"Cg=="');
});

/** Who may name the streams, and how often. */
const PRINTERS: Readonly<Record<string, number>> = {
  'packages/colkit/src/program/program.ts': 1, // what happens when the reader of stdout goes away
  'native/bin/print.js': 2,
  'native/bin/kernel-tests.js': 3, // for who works on the kernels: not published
  'native/bin/sanitized.js': 1,
};
const STREAM =
  /\bprocess\s*\.\s*(?:stdout|stderr)\b|std(?:out|err)[^=\n]*=\s*process\b|\bconsole\s*[.[]|['"]node:(?:tty|console)['"]/g;

test('nothing else in the packages writes to a stream or a console', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const folders = ['io', 'table', 'colstore', 'columna', 'syrah', 'colkit'].map((name) => `packages/${name}/src`);
  const found: Record<string, number> = {};
  for (const folder of [...folders, 'packages/colkit/bin', 'native/bin']) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.[cm]?[jt]s$/.test(name)) continue;
      const path = `${folder}/${name.replaceAll('\\', '/')}`;
      const code = readFileSync(join(root, path), 'utf8').replace(/^\s*(?:\/\/|\*).*$/gm, '');
      const hits = [...code.matchAll(STREAM)];
      if (hits.length > 0) found[path] = hits.length;
    }
  }
  expect(found).toEqual(PRINTERS);
});
