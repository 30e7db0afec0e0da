// Pages about files of a few kilobytes that stand for gigabytes, made in processes of their own: what those hold at
// most. The files are columna's (its test/support/amplified.ts makes them).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { spend } from '@colkit/testkit/spend';
import { afterAll, describe, expect, it } from 'vitest';

const backend = process.env['COLKIT_BACKEND'] === 'native' ? 'native' : 'js';
const module = new URL('../../dist/inspect.js', import.meta.url);
const PEAK_MIB = 300;
const folder = mkdtempSync(join(tmpdir(), 'colkit-amplified-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

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

  // One at a time, and the memory of those before it that the collector has not taken back yet: all of them together
  // are 768 MiB.
  it('24 deflated dictionaries holds a few of them at once', () => {
    const packed = readFileSync(new URL('./amplified/dictionaries.cna.gz', import.meta.url));
    const path = join(folder, 'dictionaries.cna');
    writeFileSync(path, gunzipSync(packed));
    const spent = spend(module, path, '(await inspectHtml(path)).length', backend);
    expect(spent.outcome).toMatch(/^\d+$/);
    expect(spent.peak).toBeLessThan(500);
  }, 60_000);
});
