// The command lines of the README and of the guide, as their reader types them, one after the other.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { orderCsv } from '@colkit/testkit/orders';
import { expect, test } from 'vitest';
import { temporaryFolder } from './support/folder.ts';
import { BIN, processes } from './support/run.ts';

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
    const failure = await new Promise((resolve) => {
      execFile('/bin/sh', ['-c', `exec "$0" "$1" ${line}`, process.execPath, BIN], { cwd }, (error, _, err) => {
        resolve(error === null ? null : err);
      });
    });
    expect(failure, line).toBe(null);
  }
});
