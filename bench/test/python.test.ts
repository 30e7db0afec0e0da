import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CandidateProcess } from '../src/run/candidate-process.ts';
import { addToDigests } from '../src/report/digest.ts';
import { peerFile } from '../src/run/candidates.ts';

const python = ['python3', 'python'].find((program) => spawnSync(program, ['--version']).status === 0);

// Python is never needed for the tests: without one there is nothing to talk to.
test.skipIf(python === undefined)('a Python peer speaks the same protocol and computes the same digests', async () => {
  const { command } = peerFile(join(import.meta.dirname, 'fixtures', 'twin.py'), { COLKIT_PYTHON: python });
  const folder = mkdtempSync(join(tmpdir(), 'colkit-bench-'));
  const context = { directory: folder, ownDirectory: folder, parameters: { factor: 2 } };
  const child = new CandidateProcess('twin', command!);
  try {
    expect(await child.request({ op: 'describe' })).toMatchObject({
      name: 'twin',
      missing: null,
      suites: { tiny: ['only'] },
    });
    expect(await child.request({ op: 'prepare', suite: 'tiny', variant: 'only', context })).toEqual({
      files: [],
      tasks: [{ name: 'double', kind: 'sync' }],
    });
    expect(await child.request({ op: 'load' })).toBeGreaterThanOrEqual(0);
    const expected = [0, 1, 2].reduce<ReturnType<typeof addToDigests>>(
      (digests, i) => addToDigests(digests, { values: Float64Array.of(2 * i) }),
      [],
    );
    expect(await child.request({ op: 'check', task: 'double', iterations: 3 })).toEqual(expected);
    expect(await child.request({ op: 'run', task: 'double', samples: 3, repeat: 2, budgetMs: 60_000 })).toHaveLength(3);
    expect(await child.request({ op: 'run', task: 'double', samples: 1000, repeat: 1, budgetMs: 0 })).toHaveLength(1);
    await expect(child.request({ op: 'check', task: 'nothing', iterations: 1 })).rejects.toThrow(/KeyError/);
    expect((await child.request({ op: 'memory' })).peakRssBytes).toBeGreaterThan(1e6);
  } finally {
    await child.stop();
    rmSync(folder, { recursive: true });
  }
});
