// Sources that users write: two members are enough, what they say of themselves is believed, and their mistakes are
// told.
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { MemorySource, createGatherer, openSource, openSourceSync } from '@colkit/io';
import type { GatherRequest, OwnSource } from '@colkit/io';
import { patternBytes, sameBytes, testFolder } from '../support/folder.ts';
import { naiveGather } from '../support/naive-gather.ts';
import { rejectedBy, thrownBy } from '../support/thrown.ts';

const BYTES = patternBytes(80_000);
const folder = testFolder();

/** What a user writes first. */
function smallest(bytes: Uint8Array = BYTES): OwnSource & { reads: number } {
  return {
    byteLength: bytes.byteLength,
    reads: 0,
    async read(byteOffset, out) {
      this.reads++;
      await new Promise(setImmediate);
      out.set(bytes.subarray(byteOffset, byteOffset + out.byteLength));
    },
  };
}

describe('a source with read and byteLength', () => {
  test('is read, and planned for as a remote one', async () => {
    const source = await openSource(smallest());
    const out = new Uint8Array(5);
    await source.read(7, out);
    expect(sameBytes(out, BYTES.subarray(7, 12))).toBe(true);
    const { isSync, canView, concurrency, gapBytes, path, closed, version } = source;
    expect({ isSync, canView, concurrency, gapBytes, path, closed, version }).toEqual({
      isSync: false,
      canView: false,
      concurrency: 6,
      gapBytes: 65_536,
      path: '<source>',
      closed: false,
      version: null,
    });
    expect(source.reopen()).toBeNull();
  });

  test('is a source whatever else it has', async () => {
    const source = await openSource({
      ...smallest(),
      what: '/nowhere',
      module: 'data:text/javascript,',
      options: {},
    } as OwnSource);
    expect(source.byteLength).toBe(BYTES.byteLength);
  });

  test('has neither Sync reads nor views, and is not asked for what is outside of it', async () => {
    const own = smallest();
    const source = openSourceSync(own);
    expect(thrownBy(() => source.readSync(0, new Uint8Array(1)))).toMatchObject({ name: 'UnsupportedError' });
    expect(thrownBy(() => source.view(0, 1))).toMatchObject({ name: 'CannotViewError', code: 'ERR_NOT_MAPPED' });
    expect(await rejectedBy(source.read(79_999, new Uint8Array(2)))).toMatchObject({ name: 'ArgumentError' });
    source.close();
    expect(await rejectedBy(source.read(0, new Uint8Array(2)))).toMatchObject({ name: 'ClosedError' });
    expect(own.reads).toBe(0);
  });

  test('is gathered from in as many reads as it says are worth it', async () => {
    const segments = { rowStarts: Float64Array.of(0, 10_000), itemBytes: Int32Array.of(8), bases: Float64Array.of(0) };
    const indices = Int32Array.of(9999, 0, 5000, 5000);
    const count = async (own: OwnSource & { reads: number }): Promise<number> => {
      const request = requestFor(indices);
      await createGatherer(await openSource(own), segments).gather(request);
      expect(sameBytes(request.outputs[0]!.bytes, naiveGather(BYTES, segments, 0, [...indices]))).toBe(true);
      return own.reads;
    };
    expect(await count({ ...smallest(), gapBytes: 0 })).toBe(3);
    expect(await count({ ...smallest(), gapBytes: 1 << 20 })).toBe(1);
  });
});

function requestFor(indices: Int32Array): GatherRequest {
  const output = { bytes: new Uint8Array(8 * indices.length), byteOffset: 0, byteStride: 8 };
  return { columns: Int32Array.of(0), rows: { kind: 'indices', indices }, outputs: [output] };
}

test('what it can do more, it says', () => {
  const memory = new MemorySource(BYTES);
  const closed: string[] = [];
  const source = openSourceSync({
    byteLength: 100,
    path: 'mine',
    version: 'v1',
    concurrency: 2,
    gapBytes: 3,
    read: (byteOffset, out) => memory.readSync(byteOffset, out),
    readSync: (byteOffset, out) => memory.readSync(byteOffset, out),
    view: (byteOffset: number, byteLength: number) => BYTES.slice(byteOffset, byteOffset + byteLength),
    reopen: () => ({ module: 'data:text/javascript,', options: 5 }),
    close: () => closed.push('mine'),
  });
  const { isSync, canView, concurrency, gapBytes, path, version } = source;
  expect({ isSync, canView, concurrency, gapBytes, path, version }).toEqual({
    isSync: true,
    canView: true,
    concurrency: 2,
    gapBytes: 3,
    path: 'mine',
    version: 'v1',
  });
  expect(sameBytes(source.view(5, 6), BYTES.subarray(5, 11))).toBe(true);
  expect(source.reopen()).toEqual({ module: 'data:text/javascript,', options: 5 });
  source.close();
  source.close();
  expect([closed, source.closed]).toEqual([['mine'], true]);
});

test.each([
  ['byteLength', { byteLength: -1, read: () => undefined }],
  ['byteLength', { byteLength: 1.5, read: () => undefined }],
  ['concurrency', { byteLength: 1, read: () => undefined, concurrency: 0 }],
  ['gapBytes', { byteLength: 1, read: () => undefined, gapBytes: NaN }],
  ['readSync', { byteLength: 1, read: () => undefined, isSync: true }],
  ['view', { byteLength: 1, read: () => undefined, canView: true }],
] as [string, OwnSource][])('a wrong %s is told', (argument, own) => {
  expect(thrownBy(() => openSourceSync(own))).toMatchObject({ name: 'ArgumentError', code: 'ERR_ARGUMENT', argument });
});

test('a view of another length is not taken', () => {
  const source = openSourceSync({ ...smallest(), view: () => new Uint8Array(3) });
  expect(thrownBy(() => source.view(0, 4))).toMatchObject({ name: 'ArgumentError', argument: 'view' });
});

describe('opened again', () => {
  test('a file and bytes, in either form', async () => {
    const path = folder.file('again', BYTES);
    for (const source of [openSourceSync(path), openSourceSync(path, { io: 'pread' }), openSourceSync(BYTES)]) {
      const reopening = structuredClone(source.reopen())!;
      for (const again of [openSourceSync(reopening), await openSource(reopening)]) {
        expect([again.byteLength, again.canView, again.constructor]).toEqual([
          source.byteLength,
          source.canView,
          source.constructor,
        ]);
        again.close();
      }
      expect(openSourceSync(reopening, { io: 'pread' }).canView).toBe(false);
      source.close();
    }
  });

  test('a source of a module, with its options', async () => {
    const script =
      'export const openSource = ({ byteLength }) => ({ byteLength, read(byteOffset, out) { out.fill(byteOffset); ' +
      '} });';
    const module = pathToFileURL(folder.file('mine.mjs', new TextEncoder().encode(script))).href;
    const reopening = { module, options: { byteLength: 50 } };
    expect(thrownBy(() => openSourceSync(reopening))).toMatchObject({ name: 'ArgumentError' });
    const source = await openSource(reopening);
    const out = new Uint8Array(2);
    await source.read(9, out);
    expect([source.byteLength, ...out]).toEqual([50, 9, 9]);
  });

  test.each(['export const other = 1;', 'export const openSource = 5;', 'export const openSource = () => 7;'])(
    'a module that gives none: %s',
    async (script) => {
      const module = `data:text/javascript,${encodeURIComponent(script)}`;
      expect(await rejectedBy(openSource({ module, options: null }))).toMatchObject({ name: 'ArgumentError' });
    },
  );
});
