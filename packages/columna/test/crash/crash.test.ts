// A writer that is killed leaves the old file or the new one; a streaming writer and an appender leave at least every
// row group that was acknowledged. Short here; `pnpm --filter columna run test:crash` kills 500 of each kind in some
// minutes.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleForNode } from '@colkit/testkit/bundle-for-node';
import { countOf, crash, killWholeFile, runLimited } from '@colkit/testkit/crash';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recoverSync } from '../../src/write/recover.ts';
import { writeSync } from '../../src/write/write.ts';
import { GROUP_ROWS, ROWS_BEFORE, WHOLE_ROWS, rowsOf } from './content.ts';
import { killStream } from './kill-stream.ts';
import { MODES, PHASES } from './phases.ts';
import type { Mode, Phase } from './phases.ts';

// What is written does not depend on the backend: once is enough.
const isOther = process.env['COLKIT_BACKEND'] === 'native';

let folder = '';
let writer = '';
beforeAll(async () => {
  if (isOther) return;
  folder = mkdtempSync(join(tmpdir(), 'columna-crash-'));
  writer = await bundleForNode(new URL('./writer.ts', import.meta.url), folder);
}, 300_000);
afterAll(() => rmSync(folder || 'no folder was made', { recursive: true, force: true }));

const FORMAT = {
  write: (path: string, version: number) =>
    writeSync(path, rowsOf(version, 0, WHOLE_ROWS), { rowGroupSize: GROUP_ROWS, durability: 'none' }),
  replace: (path: string) => writeSync(path, rowsOf(1, 0, 10), { overwrite: true, durability: 'none' }),
  writes: 5,
};

describe.skipIf(isOther).each(MODES)('%s', (mode) => {
  it('keeps what it must keep, every time', { timeout: 1_800_000 }, async () => {
    const isStream = mode === 'stream' || mode === 'append';
    const counts = await crash<Phase>({
      writer,
      folder,
      fileName: 'data.cna',
      mode,
      phases: PHASES[mode],
      once: isStream ? killStream : (kill) => killWholeFile(kill, FORMAT),
    });
    expect(countOf(counts, 'part') > 0).toBe(isStream);
  });
});

describe.skipIf(isOther || process.platform === 'win32')(
  'a disk that is full by the kernel (a limit of the file size)',
  () => {
    const limited = (path: string, mode: Mode, form: string, blocks: number) =>
      runLimited([writer, path, mode, '3', form], blocks);
    const names = (name: string) =>
      readdirSync(folder)
        .filter((each) => each.startsWith(name) || each.startsWith(`.${name}`))
        .sort();

    it.each(['async', 'sync'])('%s: at once: an error, and the old file stays', (form) => {
      const path = join(folder, `limited-${form}.cna`);
      writeSync(path, rowsOf(1, 0, WHOLE_ROWS));
      const before = readFileSync(path);
      const { status, stderr } = limited(path, 'overwrite', form, 2);
      expect([status, stderr]).toEqual([1, expect.stringMatching(/IoError: .*EFBIG/)]);
      expect(readFileSync(path).equals(before)).toBe(true);
      expect(names(`limited-${form}`)).toEqual([`limited-${form}.cna`]);
    });

    it.each(['async', 'sync'])('%s: streaming: an error, and recover keeps the checkpoints', (form) => {
      const path = join(folder, `streamed-${form}.cna`);
      const { status, stdout, stderr } = limited(path, 'stream', form, 8);
      expect([status, stderr]).toEqual([1, expect.stringMatching(/IoError: .*EFBIG/)]);
      const acknowledged = Math.max(
        ...stdout
          .trimEnd()
          .split('\n')
          .map((line) => Number(line.split(' ')[0])),
      );
      expect(acknowledged).toBeGreaterThan(0);
      expect(names(`streamed-${form}`)).toEqual([`streamed-${form}.cna.partial`]);
      expect(recoverSync(path)).toMatchObject({ status: 'recovered', rowCount: acknowledged });
    });

    it.each(['async', 'sync'])('%s: appending: an error, and the file is whole up to the last checkpoint', (form) => {
      const path = join(folder, `appended-${form}.cna`);
      writeSync(path, rowsOf(3, 0, ROWS_BEFORE), { rowGroupSize: GROUP_ROWS });
      const { status, stdout, stderr } = limited(path, 'append', form, 12);
      expect([status, stderr]).toEqual([1, expect.stringMatching(/IoError: .*EFBIG/)]);
      const acknowledged = Math.max(
        ...stdout
          .trimEnd()
          .split('\n')
          .map((line) => Number(line.split(' ')[0])),
      );
      expect(recoverSync(path)).toMatchObject({ status: 'whole', rowCount: Math.max(acknowledged, ROWS_BEFORE) });
      expect(names(`appended-${form}`)).toEqual([`appended-${form}.cna`]);
    });
  },
);
