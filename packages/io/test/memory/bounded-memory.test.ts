// What a process holds that reads in a loop and drops what it read: the results that are in use, and a constant.
// Measured in a process of its own.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { EXPECTED_BACKEND } from '../support/backend.ts';

/** What docs/native.md says. */
const CONSTANT_MIB = 640;
const RESULT_MIB = 29;

/**
 * Peak of anonymous memory in MiB over what the process had, after 50 results of 29 MiB (in one array, or in five) were
 * filled and dropped.
 */
function peak(way: 'turning' | 'synchronous', parts: number): number {
  const script = `
    import { readFileSync } from 'node:fs';
    import { setImmediate as turn } from 'node:timers/promises';
    import { allocateOutputs } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
    const anonymous = () => Number(/RssAnon:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
    const lengths = new Array(${String(parts)}).fill(Math.floor(${String(RESULT_MIB)} * 2 ** 20 / ${String(parts)}));
    const before = anonymous();
    let most = 0;
    for (let round = 0; round < 50; round++) {
      for (const bytes of allocateOutputs(lengths)) bytes.fill(1);
      most = Math.max(most, anonymous() - before);
      if (${String(way === 'turning')}) await turn();
    }
    console.log(Math.round(most));`.replaceAll('\\\\', '\\');
  const env = { ...process.env, COLKIT_BACKEND: EXPECTED_BACKEND };
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' }));
}

describe.runIf(process.platform === 'linux')('a loop that drops its results', () => {
  test.each([
    ['synchronous', 1],
    ['synchronous', 5],
    ['turning', 1],
    ['turning', 5],
  ] as const)('%s, of %d arrays', (way, parts) => {
    expect(peak(way, parts)).toBeLessThan(CONSTANT_MIB);
  });
});

// Untouched memory costs nothing, and V8 counts it all the same.
describe.runIf(process.platform === 'linux' && EXPECTED_BACKEND === 'native')('a loop over results of 400 MiB', () => {
  test.each(['turning', 'synchronous'])('%s, holds two of them: the one in use and the one before', (way) => {
    const script = `
      import { setImmediate as turn } from 'node:timers/promises';
      import { allocateOutputs } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
      let most = 0;
      for (let round = 0; round < 12; round++) {
        if (allocateOutputs([400 * 2 ** 20])[0].length !== 400 * 2 ** 20) throw new Error('another length');
        most = Math.max(most, process.memoryUsage().external);
        if (${String(way === 'turning')}) await turn();
      }
      console.log(Math.round(most / 2 ** 20));`;
    const env = { ...process.env, COLKIT_BACKEND: EXPECTED_BACKEND };
    const most = Number(
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' }),
    );
    expect(most).toBeLessThan(2 * 400 + 64);
  });
});
