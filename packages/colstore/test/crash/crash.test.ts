// A writer that is killed leaves the old file or the new one, whole, whatever it was doing; and the next writer cleans
// up after it. Short here; `pnpm --filter colstore run test:crash` kills 500 of each kind in about three minutes.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILE_PHASES } from '@colkit/testkit/announcements';
import { bundleForNode } from '@colkit/testkit/bundle-for-node';
import { countOf, crash, killWholeFile, runLimited } from '@colkit/testkit/crash';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeSync } from '../../src/index.ts';
import { contentOf } from './content.ts';

// What is written does not depend on the backend: once is enough.
const isOther = process.env['COLKIT_BACKEND'] === 'native';

let folder = '';
let writer = '';
beforeAll(async () => {
  if (isOther) return;
  folder = mkdtempSync(join(tmpdir(), 'colstore-crash-'));
  writer = await bundleForNode(new URL('./writer.ts', import.meta.url), folder);
}, 120_000);
afterAll(() => rmSync(folder || 'no folder was made', { recursive: true, force: true }));

const FORMAT = {
  write: (path: string, version: number) => writeSync(path, contentOf(version), { durability: 'none' }),
  replace: (path: string) => writeSync(path, { x: Int8Array.of(1) }, { overwrite: true, durability: 'none' }),
  writes: 40,
};

describe.skipIf(isOther).each(['new', 'overwrite'] as const)('%s', (mode) => {
  it('is the old file or the new one, whole, every time', { timeout: 1_800_000 }, async () => {
    const counts = await crash({
      writer,
      folder,
      fileName: 'data.cstore',
      mode,
      phases: FILE_PHASES,
      once: (kill) => killWholeFile(kill, FORMAT),
    });
    expect(countOf(counts, 'old', 'in place')).toBe(0);
    expect(countOf(counts, 'all', 'writing')).toBe(0);
  });
});

it.skipIf(isOther || process.platform === 'win32')(
  'a disk that is full by the kernel (a limit of the file size): an error, and the old file stays',
  () => {
    const path = join(folder, 'limited.cstore');
    writeFileSync(path, 'old');
    for (const form of ['async', 'sync']) {
      const { status, stderr } = runLimited([writer, path, 'overwrite', '3', form], 200);
      expect(status).toBe(1);
      expect(stderr).toMatch(/IoError: .*limited\.cstore: write: EFBIG/);
      expect(stderr).toContain("code: 'ERR_WRITE'");
      expect(readFileSync(path, 'utf8')).toBe('old');
      expect(readdirSync(folder).filter((name) => name.includes('limited'))).toEqual(['limited.cstore']);
    }
  },
);
