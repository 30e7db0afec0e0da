// The command lines of the README and of the guide, as their reader types them, one after the other: those that are
// more than words by a shell, in which the command is a process of its own.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { orderCsv } from '@colkit/testkit/orders';
import { expect, test } from 'vitest';
import { temporaryFolder } from './support/folder.ts';
import { BIN, processes, runHere } from './support/run.ts';

const folder = temporaryFolder();
const root = fileURLToPath(new URL('../../..', import.meta.url));

test.each(['packages/colkit/README.md', 'docs/guide/command.md'])('%s', processes, async (page) => {
  const cwd = folder.path(page.replaceAll('/', '-'));
  mkdirSync(cwd);
  writeFileSync(`${cwd}/orders.csv`, orderCsv(500));
  writeFileSync(`${cwd}/items.jsonl`, '{"label":1,"features":[1,2]}\n{"label":0,"features":[0.5]}\n');
  const lines = [...readFileSync(`${root}/${page}`, 'utf8').matchAll(/^npx colkit (.*)$/gm)].map(
    ([, line]) => line ?? '',
  );
  expect(lines.length).toBeGreaterThan(9);
  for (const line of lines) {
    const bare = line.replace(/"[^"\\`$]*"/g, '');
    const { code, err } = await (/[|<>$;&]|--html/.test(bare) ? inShell(line, cwd) : here(line, cwd));
    expect([line, code, code === 0 ? '' : err]).toEqual([line, 0, '']);
  }
});

/** What only a shell knows; and pages, whose script is built. */
function inShell(line: string, cwd: string): Promise<{ code: number; err: string }> {
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', `exec "$0" "$1" ${line}`, process.execPath, BIN], { cwd }, (error, _, err) => {
      resolve({ code: error === null ? 0 : 1, err });
    });
  });
}

/** Words, and quotes around some, in this process. */
async function here(line: string, cwd: string): Promise<{ code: number; err: string }> {
  const words = line.replace(/(^|\s)#.*/, '').match(/"[^"]*"|\S+/g) ?? [];
  for (const word of words) expect(word, line).toMatch(/^(?:"[^"\\`]*"|[\w.,:=/-]+)$/);
  const before = process.cwd();
  process.chdir(cwd);
  try {
    return await runHere(false, ...words.map((word) => word.replace(/^"(.*)"$/, '$1')));
  } finally {
    process.chdir(before);
  }
}
