// What reaches a terminal goes through one printer, which shows what a terminal would obey.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { terminalOf, toJson } from '@colkit/io/command';

const HIDDEN = '\u001b[2J\u009b\u202e\u2066\u200e\u061c\u007f\u0000\r\n\u2028x';
const SHOWN = '\\u001b[2J\\u009b\\u202e\\u2066\\u200e\\u061c\\u007f\\u0000\\u000d\\u000a\\u2028x';

function recorded() {
  const [stdout, stderr] = [new PassThrough({ encoding: 'utf8' }), new PassThrough({ encoding: 'utf8' })];
  const terminal = terminalOf({ stdout, stderr: Object.assign(stderr, { isTTY: true }) });
  return { terminal, out: () => stdout.read() as string, err: () => stderr.read() as string };
}

test('a line is one line, whatever its text', () => {
  const { terminal, out, err } = recorded();
  terminal.print(HIDDEN);
  terminal.note(HIDDEN);
  expect([out(), err()]).toEqual([`${SHOWN}\n`, `${SHOWN}\n`]);
  terminal.progress(HIDDEN);
  expect(err()).toBe(`\r\u001b[2K${SHOWN}`);
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

/** Who may name the streams, and how often. */
const PRINTERS: Readonly<Record<string, number>> = {
  'packages/io/src/command/program.ts': 1, // what happens when the reader of stdout goes away
  'native/bin/print.js': 2,
  'native/bin/kernel-tests.js': 3, // for who works on the kernels: not published
  'native/bin/sanitized.js': 1,
};
const STREAM =
  /\bprocess\s*\.\s*(?:stdout|stderr)\b|std(?:out|err)[^=\n]*=\s*process\b|\bconsole\s*[.[]|['"]node:(?:tty|console)['"]/g;

test('nothing else in the packages writes to a stream or a console', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const folders = ['io', 'table', 'colstore', 'columna', 'syrah'].flatMap((name) => [
    `packages/${name}/src`, ...(name === 'columna' || name === 'syrah' ? [`packages/${name}/bin`] : []),
  ]);
  const found: Record<string, number> = {};
  for (const folder of [...folders, 'native/bin']) {
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
