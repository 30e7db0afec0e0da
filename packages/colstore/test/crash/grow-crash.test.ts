// Writers of files that grow are killed: every record whose checkpoint was acknowledged is there, whole records with
// their values and no others, readers open the file as it is, and the next writer goes on from there. A compaction that
// is killed leaves the old file or the new one. Short here; `pnpm --filter colstore run test:crash` kills 500 of each.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleForNode } from '@colkit/testkit/bundle-for-node';
import { crash, killWriter, runLimited } from '@colkit/testkit/crash';
import type { Death, Kill } from '@colkit/testkit/crash';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSync, infoSync, openSync, recoverSync, updateSync, verifySync } from '../../src/index.ts';
import { GROW_PHASES, RECORDS_BEFORE, RECORD_ROWS, STREAMED_RECORDS, recordOf } from './grow-content.ts';
import type { GrowMode, GrowPhase } from './grow-content.ts';

// What is written does not depend on the backend: once is enough.
const isOther = process.env['COLKIT_BACKEND'] === 'native';

let folder = '';
let writer = '';
beforeAll(async () => {
  if (isOther) return;
  folder = mkdtempSync(join(tmpdir(), 'colstore-grow-crash-'));
  writer = await bundleForNode(new URL('./grow-writer.ts', import.meta.url), folder);
}, 120_000);
afterAll(() => rmSync(folder || 'no folder was made', { recursive: true, force: true }));

function prepare(path: string, version: number): void {
  const file = createSync(path, { statistics: version % 3 === 0, durability: 'none' });
  for (let record = 0; record < RECORDS_BEFORE; record += 1) file.writeSync(recordOf(version, record));
  file.closeSync();
}

/** @throws Error where the values are not those of whole records from the first on. @returns how many. */
function recordsAt(path: string, version: number): number {
  using ds = openSync(path);
  const records = ds.rowCount / RECORD_ROWS;
  const { x, k } = ds.toColumnsSync() as ReturnType<typeof recordOf>;
  for (let record = 0; record < records; record += 1) {
    const expected = recordOf(version, record);
    for (let row = 0; row < RECORD_ROWS; row += 1) {
      const at = record * RECORD_ROWS + row;
      if (x[at] !== expected.x[row] || k[at] !== expected.k[row]) throw new Error(`row ${at} has other values`);
    }
  }
  if (!Number.isInteger(records) || !verifySync(path).ok) throw new Error(`${ds.rowCount} rows, or damage`);
  return records;
}

async function killGrowing(kill: Kill): Promise<Death<GrowPhase>> {
  const { mode, path, random } = kill;
  const [version, isStream] = [kill.kill + 1, mode === 'stream'];
  if (!isStream) prepare(path, version);
  const first = isStream ? 0 : RECORDS_BEFORE;
  const total = mode === 'compact' ? first : first + STREAMED_RECORDS;
  const { phase, acknowledgedRows } = await killWriter<GrowPhase>(
    kill,
    version,
    GROW_PHASES[mode as GrowMode],
    timesOf,
  );
  const least = Math.max(first, acknowledgedRows / RECORD_ROWS);
  let kept = existsSync(path) ? recordsAt(path, version) : 0;
  if (kept < least || kept > total) throw new Error(`${phase}: ${kept} records, of which ${least} were acknowledged`);
  const isOld = mode === 'compact' ? infoSync(path).recordCount > 1 : kept === first;
  if (isOld && phase === 'finished') throw new Error('finished, and nothing was done');
  const isLeft = existsSync(`${path}.partial`);
  if (isLeft || random.number() < 0.5) {
    // Of a file without a name, more than was acknowledged may be had.
    const { status } = existsSync(path) || isLeft ? recoverSync(path) : { status: 'nothing' };
    const found = existsSync(path) ? recordsAt(path, version) : 0;
    if (found < kept || (status !== 'recovered' && found !== kept))
      throw new Error(`${phase}: recovered ${found}, ${status}`);
    kept = found;
  }
  const next = existsSync(path) ? updateSync(path) : createSync(path);
  next.writeSync(recordOf(version, kept));
  next.closeSync();
  if (recordsAt(path, version) !== kept + 1) throw new Error(`${phase}: what was written next is not there`);
  return { phase, outcome: isOld ? 'old' : kept === total ? 'all' : 'part' };
}

function timesOf(phase: GrowPhase): number {
  return /records|counters|checkpoint/.test(phase) ? STREAMED_RECORDS / 2 : 1;
}

describe.skipIf(isOther).each(Object.keys(GROW_PHASES) as GrowMode[])('%s', (mode) => {
  it('keeps what it must keep, every time', { timeout: 1_800_000 }, async () => {
    await crash<GrowPhase>({
      writer,
      folder,
      fileName: 'data.cstore',
      mode,
      phases: GROW_PHASES[mode],
      once: killGrowing,
    });
  });
});

it.skipIf(isOther || process.platform === 'win32')(
  'a disk that is full by the kernel: an error, and what was acknowledged is kept',
  () => {
    for (const form of ['async', 'sync']) {
      const path = join(folder, `limited-${form}.cstore`);
      prepare(path, 3);
      const { status, stdout, stderr } = runLimited([writer, path, 'append', '3', form], 40);
      expect([status, stderr]).toEqual([1, expect.stringMatching(/IoError: .*EFBIG/)]);
      const lines = stdout.trimEnd().split('\n');
      const acknowledged = Math.max(...lines.map((line) => Number(line.split(' ')[0]))) / RECORD_ROWS;
      expect(recordsAt(path, 3)).toBe(acknowledged);
      expect(infoSync(path).uncommittedBytes).toBe(0);
      expect(readdirSync(folder).filter((name) => name.startsWith(`limited-${form}`))).toEqual([
        `limited-${form}.cstore`,
      ]);
    }
  },
);
