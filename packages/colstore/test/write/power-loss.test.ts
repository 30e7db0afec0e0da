// Power failures: for every prefix of the operations of a write, with everything dropped that was not synced, with all of it kept, and with random parts of it, the destination is
// the old file or the new one, whole. And every operation fails once.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { RecordingDisk } from '@colkit/testkit/recording-disk';
import { systemError } from '@colkit/testkit/watched-files';
import { IoError, openSync, write, writeSync } from '../../src/index.ts';

const TARGET = '/folder/data.cstore';
const OLD = { x: Int32Array.of(1, 2, 3) };
const NEW = { x: Float64Array.from({ length: 500 }, Math.sqrt), k: Int8Array.from({ length: 500 }, (_, row) => row) };
const OPTIONS = { batchRows: 100 };

let oldBytes: Uint8Array;
let newBytes: Uint8Array;
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'colstore-power-'));
  const bytesOf = (name: string, data: Parameters<typeof writeSync>[1]): Uint8Array => {
    writeSync(join(folder, name), data);
    return new Uint8Array(readFileSync(join(folder, name)));
  };
  oldBytes = bytesOf('old', OLD);
  newBytes = bytesOf('new', NEW);
  rmSync(folder, { recursive: true });
});

const sameBytes = (found: Uint8Array | null | undefined, expected: Uint8Array): boolean => found !== null && found !== undefined && Buffer.from(found).equals(expected);
const random = (seed: number) => (change: number) => (Math.imul(seed ^ (change * 2654435761), 1597334677) >>> 13) % 2 === 0;

describe.each([['a new file', false], ['an overwrite', true]] as const)('%s', (_, overwrite) => {
  const begin = (): RecordingDisk => {
    const disk = new RecordingDisk();
    if (overwrite) disk.place(TARGET, oldBytes);
    return disk;
  };

  it('survives a power failure at every moment', async () => {
    const disk = begin();
    const before = disk.changes.length;
    await write(TARGET, NEW, { ...OPTIONS, overwrite, operations: disk });
    const outcomes = { old: 0, new: 0 };
    for (let count = before; count <= disk.changes.length; count += 1) {
      for (const keep of [() => false, () => true, ...Array.from({ length: 20 }, (__, seed) => random(seed + 1))]) {
        const found = disk.afterPowerLoss(count, keep).get(TARGET);
        if (sameBytes(found, newBytes)) outcomes.new += 1;
        else if (overwrite ? sameBytes(found, oldBytes) : found === undefined) outcomes.old += 1;
        else throw new Error(`behind change ${String(count)}: ${found === undefined ? 'no file' : `${String(found.length)} bytes`}`);
      }
    }
    expect(outcomes.old).toBeGreaterThan(0);
    expect(outcomes.new).toBeGreaterThan(0);
    expect(sameBytes(disk.afterPowerLoss(disk.changes.length, () => false).get(TARGET), newBytes)).toBe(true);
  });

  it('would not survive without syncs: the test can fail', () => {
    const disk = begin();
    writeSync(TARGET, NEW, { ...OPTIONS, overwrite, durability: 'none', operations: disk });
    const found = new Set(Array.from({ length: 200 }, (__, seed) => String(disk.afterPowerLoss(disk.changes.length, random(seed + 1)).get(TARGET)?.length)));
    expect(found.size).toBeGreaterThan(2);
  });

  it('fails cleanly whichever operation fails', async () => {
    const whole = begin();
    await write(TARGET, NEW, { ...OPTIONS, overwrite, operations: whole });
    const outcomes: string[] = [];
    for (let nth = 0; nth < whole.operationCount; nth += 1) {
      let failed = '';
      const disk = new RecordingDisk((operation, index) => {
        if (index !== nth) return null;
        failed = operation.kind;
        return systemError('EIO', operation.kind);
      });
      if (overwrite) disk.place(TARGET, oldBytes);
      const result: unknown = await write(TARGET, NEW, { ...OPTIONS, overwrite, operations: disk }).catch((error: unknown) => error);
      const isNew = sameBytes(disk.read(TARGET), newBytes);
      const isOld = overwrite ? sameBytes(disk.read(TARGET), oldBytes) : disk.read(TARGET) === null;
      expect(isNew || isOld, failed).toBe(true);
      if (result instanceof IoError) expect(result).toMatchObject({ code: 'ERR_WRITE', path: TARGET });
      else expect(isNew, failed).toBe(true);
      if (failed !== 'unlink') expect(disk.paths.filter((path) => path !== TARGET), failed).toEqual([]);
      outcomes.push(`${failed}: ${result instanceof IoError ? 'error' : 'done'}, ${isNew ? 'new' : 'old'}`);
    }
    expect(outcomes).toContain('write: error, old');
    expect(outcomes).toContain('sync: error, old');
    expect(outcomes).toContain(overwrite ? 'rename: error, old' : 'link: error, old');
  });
});

it('what the disk keeps is what a reader reads', () => {
  const disk = new RecordingDisk();
  writeSync(TARGET, NEW, { operations: disk });
  expect(openSync(disk.afterPowerLoss(disk.changes.length, () => false).get(TARGET)!).toColumnsSync()).toEqual(Object.assign(Object.create(null) as object, NEW));
});
