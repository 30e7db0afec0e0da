// verify and recover: what is told of damaged files, and what can be had of them. Every truncation, and every flipped
// byte, of a small file of records with statistics.
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isColkitError } from '@colkit/io';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  create,
  infoSync,
  openSync,
  recover,
  recoverSync,
  update,
  verify,
  verifySync,
  writeSync,
} from '../../src/index.ts';

const golden = (name: string): string => fileURLToPath(new URL(`../golden/${name}.cstore`, import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'colstore-recover-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(root, 'test-'));
  path = join(folder, 'data.cstore');
});

/** Records of 2, 0, 3 and 1 rows of x, 0 to 5, with statistics. */
async function small(): Promise<Buffer> {
  await using writer = await create(path, { statistics: true });
  for (const rows of [[0, 1], [], [2, 3, 4], [5]])
    await writer.write({ x: Int32Array.from(rows), ok: rows.map(() => true) });
  await writer.close();
  return readFileSync(path);
}
const valuesOf = (): number[] => {
  using ds = openSync(path);
  return [...ds.column('x').toArraySync()] as number[];
};
/** Where rows of x end at record borders. */
const BORDERS = [0, 2, 2, 5, 6];

describe('verify', () => {
  it('tells of whole files of every layout what they are', async () => {
    for (const [name, wire, statistics] of [
      ['described/tiny', 'flat-unchecked', 'none'],
      ['colstore-0.1.0/all_types', 'flat', 'none'],
      ['colstore-0.2.0/three_records', 'records-32', 'none'],
      ['colstore-0.5.1/appended_statistics', 'records-64', 'sound'],
      ['streams/updated-plain-stats', 'records-64', 'sound'],
    ] as const) {
      const progress: number[] = [];
      const found = await verify(golden(name), { onProgress: ({ readBytes }) => progress.push(readBytes) });
      expect(found, name).toMatchObject({ ok: true, wire, statistics, problems: [], uncommittedBytes: 0 });
      expect(progress.at(-1)).toBeGreaterThan(0);
      expect(verifySync(golden(name))).toEqual(found);
    }
  });

  it('uncommitted bytes are told, and no damage', async () => {
    await small();
    appendFileSync(path, 'what a dead writer left');
    expect(await verify(path)).toMatchObject({ ok: true, uncommittedBytes: expect.any(Number) as number, rowCount: 6 });
  });

  it('statistics that are not those of the values are damage', async () => {
    const bytes = await small();
    const at = bytes.indexOf(Buffer.from(Int32Array.of(2, 3, 4).buffer));
    bytes.writeInt32LE(77, at + 4);
    writeFileSync(path, bytes);
    expect(await verify(path)).toMatchObject({ ok: false, statistics: 'wrong', problems: [{ code: 'ERR_METADATA' }] });
  });

  it('every flipped byte is told of, or is a value, reserved, or in the footer; nothing is thrown', async () => {
    const bytes = await small();
    const told = new Set<string>();
    for (let at = 0; at < bytes.length; at += 1) {
      const damaged = Uint8Array.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      const found = verifySync(damaged);
      for (const { code } of found.problems) told.add(code);
      if (found.ok) expect([found.rowCount, found.recordCount]).toEqual([6, 4]);
    }
    expect([...told].sort()).toEqual(
      expect.arrayContaining(['ERR_CRC', 'ERR_LAYOUT', 'ERR_MAGIC', 'ERR_MANIFEST', 'ERR_METADATA']),
    );
  });

  it('what is not there, or is not read, is an error', async () => {
    await expect(verify(join(folder, 'none'))).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' });
    await small();
    await expect(verify(path, { signal: AbortSignal.abort() })).rejects.toThrow('abort');
  });
});

describe('recover', () => {
  it('leaves a whole file as it is, of any layout', async () => {
    for (const name of ['described/tiny', 'colstore-0.2.0/three_records', 'streams/stream-stats']) {
      copyFileSync(golden(name), path);
      const { rowCount } = infoSync(path);
      expect(await recover(path)).toMatchObject({ status: 'whole', rowCount, lostBytes: 0 });
      expect(readFileSync(path).equals(readFileSync(golden(name)))).toBe(true);
    }
  });

  it('cuts what was never committed, of older releases too', async () => {
    for (const name of ['colstore-0.2.0/orphan_tail', 'streams/stream-plain', 'colstore-0.1.0/tiny']) {
      copyFileSync(golden(name), path);
      appendFileSync(path, Buffer.alloc(100, 1));
      const { rowCount, uncommittedBytes } = infoSync(path);
      expect(recoverSync(path)).toMatchObject({ status: 'recovered', rowCount, lostBytes: uncommittedBytes });
      expect(infoSync(path)).toMatchObject({ rowCount, uncommittedBytes: 0 });
    }
    rmSync(path);
    const bytes = await small();
    appendFileSync(path, 'x');
    await recover(path);
    expect(readFileSync(path).equals(bytes.subarray(0, infoSync(path).byteLength))).toBe(true);
  });

  it('keeps the records before the end, wherever the file was cut', async () => {
    const bytes = await small();
    const { dataOffset } = infoSync(path);
    const seen = new Set<number>();
    for (let length = dataOffset; length < bytes.length; length += 3) {
      writeFileSync(path, bytes.subarray(0, length));
      const { status, rowCount } = length % 2 === 0 ? await recover(path) : recoverSync(path);
      seen.add(rowCount);
      if (status === 'nothing') expect(readFileSync(path).length).toBe(length);
      else {
        expect(valuesOf()).toEqual([0, 1, 2, 3, 4, 5].slice(0, rowCount));
        expect(BORDERS).toContain(rowCount);
        expect((await verify(path)).ok).toBe(true);
      }
    }
    expect([...seen].sort()).toEqual([0, 2, 5, 6]);
    for (let length = 0; length < dataOffset; length += 5) {
      writeFileSync(path, bytes.subarray(0, length));
      const found: unknown = await recover(path).catch((error: unknown) => error);
      if (isColkitError(found)) expect(found.name).toBe('CorruptFileError');
      else expect(found).toMatchObject({ status: 'nothing' });
      expect(readFileSync(path).length).toBe(length);
    }
  });

  it('keeps the records before the first damaged header, and all where only the counters are damaged', async () => {
    const bytes = await small();
    const { dataOffset } = infoSync(path);
    for (const [at, rows] of [
      [12, 6],
      [32, 6],
      [dataOffset, 0],
      [dataOffset + 32 + 16, 2],
      [dataOffset + 32 + 16 + 32, 2],
      [dataOffset + 32 + 16 + 32 + 32 + 16, 5],
    ] as const) {
      const damaged = Uint8Array.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      writeFileSync(path, damaged);
      expect(await recover(path)).toMatchObject({ status: rows === 0 ? 'nothing' : 'recovered', rowCount: rows });
      if (rows > 0) expect(valuesOf()).toEqual([0, 1, 2, 3, 4, 5].slice(0, rows));
    }
  });

  it('of a dead writer of a new file: every record that was whole, though none was committed', async () => {
    const bytes = await small();
    const { dataOffset } = infoSync(path);
    rmSync(path);
    const uncommitted = Uint8Array.from(bytes);
    new DataView(uncommitted.buffer).setBigInt64(8, 0n, true);
    new DataView(uncommitted.buffer).setBigInt64(16, 0n, true);
    writeFileSync(`${path}.partial`, uncommitted.subarray(0, dataOffset + 32 + 16 + 32 + 32 + 10));
    await expect(create(path)).rejects.toMatchObject({ code: 'ERR_EXISTS' });
    expect(await recover(path)).toMatchObject({ status: 'recovered', rowCount: 2 });
    expect([valuesOf(), readdirSync(folder)]).toEqual([[0, 1], ['data.cstore']]);
    writeFileSync(`${path}.partial`, bytes);
    await expect(recover(path)).rejects.toMatchObject({ code: 'ERR_EXISTS' });
    expect(await recover(path, { overwrite: true })).toMatchObject({ status: 'recovered', rowCount: 6 });
    expect([valuesOf(), readdirSync(folder)]).toEqual([[0, 1, 2, 3, 4, 5], ['data.cstore']]);
    rmSync(path);
    for (const length of [0, 7, 20, 79, 200, dataOffset, dataOffset + 40]) {
      writeFileSync(`${path}.partial`, bytes.subarray(0, length));
      expect(await recover(path), String(length)).toMatchObject({ status: 'nothing', lostBytes: length });
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  it('refuses a living writer, and what is no .cstore file', async () => {
    await small();
    const writer = await update(path);
    await expect(recover(path)).rejects.toMatchObject({ code: 'ERR_LOCKED' });
    await writer.close();
    await expect(recover(join(folder, 'none'))).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' });
    writeFileSync(path, 'PAR1, and more of it');
    await expect(recover(path)).rejects.toMatchObject({ code: 'ERR_MAGIC' });
    writeSync(path, { x: [1, 2], y: [3, 4] }, { overwrite: true });
    writeFileSync(path, readFileSync(path).subarray(0, -1));
    await expect(recover(path)).rejects.toMatchObject({ code: 'ERR_TRUNCATED' });
  });
});
