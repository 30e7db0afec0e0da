// The epochs of `pnpm bench remote` over a little data: every one is the local one, and asks for no more than it must.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { remoteReport, runRemote } from '../remote/remote-epochs.ts';

const folder = mkdtempSync(join(tmpdir(), 'colkit-bench-remote-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('all epochs', async () => {
  const options = {
    folder: join(folder, 'data'),
    server: new URL('../dist/remote-server.js', import.meta.url),
    delayMs: 1,
    stepMs: 0,
    files: 2,
    items: 192,
    rounds: 1,
    onProgress: () => undefined,
  };
  const results = await runRemote(options);
  expect(results.map(({ arm }) => arm)).toHaveLength(4);
  for (const { local, remote, ratio } of results) {
    expect(Math.min(local, remote, ratio)).toBeGreaterThan(0);
    expect(ratio).toBeCloseTo(remote / local);
  }
  // What an earlier epoch has kept is not asked for: opening asks for the end of each file.
  expect(results[3]?.requests).toBe(2);
  expect(remoteReport(results, options)).toMatch(/in order, 2 workers/);
});
