// Power failures: whatever a disk may leave of a write, the destination is the old file or the new one, whole and with
// the old one's permissions; once the write has returned, the new one. Each of its syncs is needed for that. And every
// operation fails once. The long form: `pnpm --filter colstore run test:crash`.
import { onFiles } from '@colkit/io/durable';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RecordingDisk, needlessSyncs, quickFolder, survive } from '@colkit/testkit/disk';
import type { Survival } from '@colkit/testkit/disk';
import { WatchedFiles, systemError } from '@colkit/testkit/watched-files';
import { IoError, openSync, write, writeSync } from '../../src/index.ts';

const root = quickFolder('colstore-power-');
afterAll(() => rmSync(root, { recursive: true }));
const folder = join(root, 'writer');
const target = join(folder, 'data.cstore');
const OLD = { x: Int32Array.of(1, 2, 3) };
const NEW = { x: Float64Array.from({ length: 500 }, Math.sqrt), k: Int8Array.from({ length: 500 }, (_, row) => row) };
const OPTIONS = { batchRows: 100 };

let oldBytes: Buffer;
let newBytes: Buffer;
beforeAll(() => {
  const bytesOf = (data: Parameters<typeof writeSync>[1]): Buffer => {
    writeSync(join(root, 'bytes'), data, { ...OPTIONS, overwrite: true });
    return readFileSync(join(root, 'bytes'));
  };
  oldBytes = bytesOf(OLD);
  newBytes = bytesOf(NEW);
});

function begin(overwrite: boolean): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  if (overwrite) writeFileSync(target, oldBytes, { mode: 0o600 });
}
beforeEach(() => begin(false));

function contentOf(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return 'nothing';
  return newBytes.equals(bytes) ? 'new' : oldBytes.equals(bytes) ? 'old' : `${bytes.length} other bytes`;
}

describe.each([
  ['a new file', false],
  ['an overwrite', true],
] as const)('%s', (_, overwrite) => {
  const before = overwrite ? 'old' : 'nothing';
  const survival: Survival<string> = {
    look: ({ names, files }) => {
      const node = files.get(names.get(target) ?? -1);
      return overwrite && node?.mode !== 0o600 ? 'other permissions' : contentOf(node?.bytes);
    },
    judge: (found, least) => {
      if (found !== 'new' && (least > 0 || found !== before)) throw new Error(`found ${found}`);
      return found;
    },
  };
  type Record = (forget?: number | null) => Promise<RecordingDisk>;
  const record =
    (durability: 'full' | 'none', isSync: boolean): Record =>
    async (forget = null) => {
      begin(overwrite);
      const disk = new RecordingDisk(folder, { forget });
      const options = onFiles(disk, { ...OPTIONS, overwrite, durability });
      if (isSync) writeSync(target, NEW, options);
      else await write(target, NEW, options);
      disk.promise(1);
      disk.checkComplete();
      return disk;
    };

  it.each([
    ['write', false],
    ['writeSync', true],
  ] as const)('%s survives a power failure', async (__, isSync) => {
    const seen = survive(await record('full', isSync)(), survival);
    expect([...seen.keys()].sort()).toEqual(['new', before].sort());
  });

  it('needs each of its syncs for that', async () => {
    const { needless, all } = await needlessSyncs(record('full', true), () => survival);
    expect(all.length).toBe(2);
    expect(needless).toEqual([]);
  });

  it("makes no such promise with durability 'none'", async () => {
    const disk = await record('none', true)();
    expect(disk.syncs).toEqual([]);
    expect(() => survive(disk, survival)).toThrow('power lost');
  });

  it('fails cleanly whichever operation fails', async () => {
    const outcomes: string[] = [];
    for (let nth = 0, isReached = true; isReached; nth += 1) {
      begin(overwrite);
      let seen = 0;
      let failed = '';
      const files = new WatchedFiles((operation, when) => {
        if (when !== 'before' || seen++ !== nth) return;
        failed = operation.kind;
        throw systemError('EIO', operation.kind);
      });
      const options = onFiles(files, { ...OPTIONS, overwrite });
      const result: unknown = await write(target, NEW, options).catch((error: unknown) => error);
      isReached = failed !== '';
      const found = contentOf(statSync(target, { throwIfNoEntry: false }) && readFileSync(target));
      expect(['new', before], failed).toContain(found);
      if (result instanceof IoError) expect(result).toMatchObject({ code: 'ERR_WRITE', path: target });
      else expect(found, failed).toBe('new');
      if (failed !== 'unlink')
        expect(
          readdirSync(folder).filter((name) => name !== 'data.cstore'),
          failed,
        ).toEqual([]);
      outcomes.push(`${failed}: ${result instanceof IoError ? 'error' : 'done'}, ${found}`);
    }
    expect(outcomes).toContain(`write: error, ${before}`);
    expect(outcomes).toContain(`sync: error, ${before}`);
    expect(outcomes).toContain(overwrite ? 'rename: error, old' : 'link: error, nothing');
    expect(outcomes).toContain(': done, new');
  });
});

it('what the disk keeps is what a reader reads', async () => {
  const disk = new RecordingDisk(folder);
  writeSync(target, NEW, onFiles(disk, {}));
  disk.promise(1);
  const bytes: Uint8Array[] = [];
  survive(disk, {
    look: ({ names, files }) => files.get(names.get(target) ?? -1)?.bytes,
    judge: (found, least) => {
      if (least > 0) bytes.push(found!);
      return '';
    },
  });
  expect(bytes.length).toBeGreaterThan(0);
  const expected = Object.assign(Object.create(null) as object, NEW);
  for (const found of bytes) expect(openSync(found).toColumnsSync()).toEqual(expected);
});
