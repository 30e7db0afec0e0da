// Pages about files of a few kilobytes that stand for gigabytes, made in processes of their own: what those hold at
// most. The files are columna's (its test/support/amplified.ts makes them).
import { fileURLToPath } from 'node:url';
import { spend } from '@colkit/testkit/spend';
import { describe, expect, it } from 'vitest';

const backend = process.env['COLKIT_BACKEND'] === 'native' ? 'native' : 'js';
const module = new URL('../../dist/inspect.js', import.meta.url);
const PEAK_MIB = 300;

describe.runIf(process.platform === 'linux')('a page about', () => {
  it.each([
    ['a joint dictionary of entries of 1 MiB', 'joint.cna'],
    ['runs of entries of 1 MiB', 'runs.cna'],
    ['13 million nulls', 'nulls.cna'],
  ])('%s', (_, name) => {
    const path = fileURLToPath(new URL(`./amplified/${name}`, import.meta.url));
    const spent = spend(module, path, '(await inspectHtml(path)).length', backend);
    expect(spent.outcome).toMatch(/^\d+$/);
    expect(spent.peak).toBeLessThan(PEAK_MIB);
  });
});
