// Runs every file of docs/examples in an empty folder. What a comment `// → …` says is printed has to be what is
// printed. Every example is on some page.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promised, runExample } from './example-runner.mjs';
import { pageFiles } from './pages.mjs';

const EXAMPLES = fileURLToPath(new URL('../examples', import.meta.url));
const files = readdirSync(EXAMPLES, { recursive: true }).map((name) => name.replaceAll('\\', '/'));
const examples = files.filter((name) => name.endsWith('.ts'));
/** Run by `npm run test:models` and `npm run test:recipes`, with tools that are not installed here. */
const models = files.filter((name) => /\.(mjs|py)$/.test(name));
const pages = pageFiles().map((page) => readFileSync(page, 'utf8'));

/** Those that need a server, which `npm run test:bullmq` starts. */
const SERVED = new Set(['scale-out/bullmq.ts']);
/** Those that a program of others runs, by `npm run test:temporal`. */
const CARRIED = /^scale-out\/temporal\//;

for (const name of examples) {
  const isServed = SERVED.has(name) && process.env.REDIS_PORT === undefined;
  const skip = isServed ? 'no REDIS_PORT' : CARRIED.test(name) && 'no program by itself';
  test(`${name} prints what it says`, { skip }, async () => {
    const path = join(EXAMPLES, name);
    const expected = promised(readFileSync(path, 'utf8'));
    const printed = await runExample(path);
    if (expected !== '') assert.equal(printed, expected);
  });
  test(`${name} is on a page`, () =>
    assert.ok(
      pages.some((page) => page.includes(`<<< @/examples/${name}`)),
      `no page includes ${name}`,
    ));
}

test('every example with tools of others is on a page', () => {
  const missing = models.filter((name) => !pages.some((page) => page.includes(`<<< @/examples/${name}`)));
  assert.deepEqual([models.length > 0, missing], [true, []]);
});

test('every example that a page includes is there, with its region', () => {
  for (const page of pages) {
    for (const [, name, region] of page.matchAll(
      /^<<< @\/examples\/([\w./-]+?)(?:#([\w-]+))?(?:\{.*\})?(?: \[.*\])?$/gm,
    )) {
      assert.ok(examples.includes(name) || models.includes(name), `examples/${name}`);
      if (region !== undefined)
        assert.match(
          readFileSync(join(EXAMPLES, name), 'utf8'),
          new RegExp(`#region ${region}\\n[\\s\\S]+#endregion ${region}`),
        );
    }
  }
});
