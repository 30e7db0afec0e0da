import { openAsBlob, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BlobSource, openSource } from '@colkit/io';
import { patternBytes, sameBytes, testFolder } from '../support/folder.ts';
import { rejectedBy, thrownBy } from '../support/thrown.ts';

const folder = testFolder();
const BYTES = patternBytes(20 * 1024 * 1024);

test('reads ranges, also in several pieces', async () => {
  const source = new BlobSource(new Blob([BYTES]));
  expect([source.isSync, source.path, source.byteLength, source.closed]).toEqual([
    false,
    '<blob>',
    BYTES.byteLength,
    false,
  ]);
  for (const [start, length] of [
    [0, 0],
    [5, 7],
    [BYTES.byteLength, 0],
    [3, BYTES.byteLength - 3],
  ] as const) {
    const out = new Uint8Array(length);
    await source.read(start, out);
    expect(sameBytes(out, BYTES.subarray(start, start + length))).toBe(true);
  }
  expect(new BlobSource(new File(['abc'], 'picked.bin')).path).toBe('picked.bin');
  expect(new BlobSource(new File(['abc'], 'picked.bin'), 'other').path).toBe('other');
});

test('refuses ranges outside, synchronous reads, views, and use after close', async () => {
  const source = new BlobSource(new Blob(['abc']));
  expect(await rejectedBy(source.read(2, new Uint8Array(2)))).toMatchObject({
    name: 'ArgumentError',
    argument: 'byteOffset',
  });
  expect(thrownBy(() => source.readSync())).toMatchObject({ name: 'UnsupportedError', code: 'ERR_FEATURE' });
  expect(thrownBy(() => source.view(0, 1))).toMatchObject({ name: 'CannotViewError', code: 'ERR_NOT_MAPPED' });
  const reason = new Error('enough');
  expect(await rejectedBy(source.read(0, new Uint8Array(1), AbortSignal.abort(reason)))).toBe(reason);
  source.close();
  expect(await rejectedBy(source.read(0, new Uint8Array(1)))).toMatchObject({
    name: 'ClosedError',
    code: 'ERR_CLOSED',
  });
});

test('a file behind a Blob that was changed is ERR_FILE_CHANGED', async () => {
  const path = folder.file('behind', patternBytes(1000));
  const source = new BlobSource(await openAsBlob(path), path);
  writeFileSync(path, patternBytes(2000));
  expect(await rejectedBy(source.read(0, new Uint8Array(10)))).toMatchObject({
    name: 'IoError',
    code: 'ERR_FILE_CHANGED',
    path,
  });
});

test('Blobs of test environments are opened, which are of no class of the runtime (happy-dom)', async () => {
  const own = new Blob([BYTES]);
  const blob = {
    size: own.size,
    slice: (start: number, end: number) => own.slice(start, end),
    arrayBuffer: () => own.arrayBuffer(),
  } as unknown as Blob;
  const source = await openSource(blob);
  const out = new Uint8Array(BYTES.length);
  await source.read(0, out);
  expect(sameBytes(out, BYTES)).toBe(true);
});
