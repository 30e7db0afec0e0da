// recover: for every length at which a file can end, everything up to the last footer before it, and nothing else.
import { existsSync, linkSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { append, appenderSync, createSync, recover, recoverSync, writeSync } from '../../src/index.ts';
import type { Checkpoint, RecoverOptions } from '../../src/index.ts';
import { newFolders } from '../support/new-folders.ts';
import { readTable } from '../support/table.ts';

const newFolder = newFolders('recover');
let folder: string;
let path: string;
let partial: string;
beforeEach(() => {
  ({ folder, path } = newFolder());
  partial = `${path}.partial`;
});

const rows = (start: number, length: number) => ({
  n: Int32Array.from({ length }, (_, i) => (start + i) ** 2 % 101),
  t: Array.from({ length }, (_, i) => `t${(start + i) % 7}`),
});
const readRows = (): number => readTable(new Uint8Array(readFileSync(path))).columns[0]!.values.length;

/** A streamed file with checkpoints after 20, 40 and 60 rows. */
function streamed(): { bytes: Uint8Array; checkpoints: Checkpoint[] } {
  const checkpoints: Checkpoint[] = [];
  const writer = createSync(path, {
    rowGroupSize: 10,
    checkpoints: 'never',
    onCheckpoint: (checkpoint) => checkpoints.push(checkpoint),
  });
  for (let start = 0; start < 60; start += 20) {
    writer.writeSync(rows(start, 20));
    writer.checkpointSync();
  }
  writer.closeSync();
  const bytes = new Uint8Array(readFileSync(path));
  rmSync(path);
  return { bytes, checkpoints };
}

describe.each(['async', 'sync'] as const)('%s', (form) => {
  const run = async (options: RecoverOptions = {}) =>
    form === 'async' ? recover(path, options) : recoverSync(path, options);

  it('keeps every checkpoint of a partial file, cut anywhere', { timeout: 60_000 }, async () => {
    const { bytes, checkpoints } = streamed();
    expect(checkpoints.map(({ rowCount }) => rowCount)).toEqual([20, 40, 60]);
    const borders = checkpoints.flatMap(({ byteLength }) => [-9, -8, -4, -1, 0, 1].map((more) => byteLength + more));
    for (const length of [
      ...Array.from({ length: 40 }, (_, k) => Math.floor((k * bytes.length) / 40)),
      ...borders,
    ].filter((each) => each <= bytes.length)) {
      writeFileSync(partial, bytes.subarray(0, length));
      const last = checkpoints.filter(({ byteLength }) => byteLength <= length).at(-1);
      const found = await run();
      if (last === undefined)
        expect([found.status, found.rowCount, readdirSync(folder)], String(length)).toEqual(['nothing', 0, []]);
      else {
        expect(found, String(length)).toMatchObject({
          status: 'recovered',
          rowCount: last.rowCount,
          lostBytes: length - last.byteLength,
        });
        expect(readFileSync(path).equals(bytes.subarray(0, last.byteLength))).toBe(true);
        expect(readRows()).toBe(last.rowCount);
        expect(await run()).toMatchObject({ status: 'whole', rowCount: last.rowCount });
        expect(readdirSync(folder)).toEqual(['data.cna']);
        rmSync(path);
      }
    }
  });

  it('keeps every checkpoint of a file that was appended to, with anything behind it', async () => {
    const { bytes, checkpoints } = streamed();
    const [, , whole] = checkpoints;
    for (const tail of [
      Uint8Array.of(0x31),
      new TextEncoder().encode('CNA1'),
      bytes.subarray(4),
      bytes,
      new Uint8Array(300_000).fill(0x31),
    ]) {
      writeFileSync(path, Buffer.concat([bytes, tail]));
      // A whole file as a value of another, or in the middle of what was lost, is no footer of this one.
      expect(await run()).toMatchObject({ status: 'recovered', rowCount: 60, lostBytes: tail.length });
      expect(readFileSync(path).length).toBe(whole!.byteLength);
    }
    await append(path, rows(60, 5));
    expect(readRows()).toBe(65);
  });

  it('goes back past a footer that is damaged', async () => {
    const { bytes, checkpoints } = streamed();
    const damaged = bytes.slice();
    damaged[damaged.length - 30]! ^= 4;
    writeFileSync(path, damaged);
    expect(await run()).toMatchObject({
      status: 'recovered',
      rowCount: 40,
      lostBytes: bytes.length - checkpoints[1]!.byteLength,
    });
    expect(readRows()).toBe(40);
  });

  it('does not touch what it cannot help', async () => {
    await expect(run()).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' });
    writeFileSync(path, 'something else');
    await expect(run()).rejects.toMatchObject({ code: 'ERR_MAGIC' });
    writeFileSync(path, streamedStart());
    expect(await run()).toMatchObject({ status: 'nothing', rowCount: 0 });
    expect(readFileSync(path).equals(streamedStart())).toBe(true);
  });

  it('replaces a whole file only when told to', async () => {
    const { bytes } = streamed();
    writeSync(path, rows(0, 3));
    writeFileSync(partial, bytes);
    await expect(run()).rejects.toMatchObject({ code: 'ERR_EXISTS' });
    expect([readRows(), existsSync(partial)]).toEqual([3, true]);
    expect(await run({ overwrite: true })).toMatchObject({ status: 'recovered', rowCount: 60 });
    expect([readRows(), readdirSync(folder)]).toEqual([60, ['data.cna']]);
  });

  it('knows a writer that died between giving the file its name and taking the old one away', async () => {
    writeFileSync(partial, streamed().bytes);
    linkSync(partial, path);
    expect(await run()).toMatchObject({ status: 'whole', rowCount: 60 });
    expect(readdirSync(folder)).toEqual(['data.cna']);
  });

  it('leaves a living writer alone, unless it is forced', async () => {
    const writer = createSync(path);
    writer.writeSync(rows(0, 10));
    writer.checkpointSync();
    await expect(run()).rejects.toMatchObject({ code: 'ERR_LOCKED' });
    expect(await run({ force: true })).toMatchObject({ status: 'recovered', rowCount: 10 });
    expect(readRows()).toBe(10);
    const more = appenderSync(path);
    await expect(run()).rejects.toMatchObject({ code: 'ERR_LOCKED' });
    more.closeSync();
  });
});

/** A file whose writer died before its first footer. */
function streamedStart(): Buffer {
  return Buffer.concat([Buffer.from('CNA1'), new Uint8Array(500)]);
}
