// Where browsers keep a long stream that is read twice: a file of the origin's that goes away, or a Blob.
import { afterEach, expect, test, vi } from 'vitest';
import { TemporaryFile } from '../../src/text-input/temporary-file-browser.ts';

/** The origin's private files: by their names, what was written. */
let files: Map<string, Uint8Array[]>;

function givePrivateFiles(isWritable: boolean): void {
  files = new Map();
  const folder = {
    getFileHandle(name: string) {
      const written: Uint8Array[] = [];
      files.set(name, written);
      const createWritable = () =>
        Promise.resolve({
          // As WebKit's: of a view the whole buffer is written.
          write: ({ data }: { data: Uint8Array }) => {
            written.push(new Uint8Array(data.buffer.slice(0)));
            return Promise.resolve();
          },
          close: () => Promise.resolve(),
          abort: () => Promise.resolve(),
        });
      const getFile = () => Promise.resolve(new Blob(written as Uint8Array<ArrayBuffer>[]));
      return Promise.resolve({ name, getFile, ...(isWritable ? { createWritable } : {}) });
    },
    removeEntry(name: string) {
      files.delete(name);
      return Promise.resolve();
    },
  };
  vi.stubGlobal('navigator', { storage: { getDirectory: () => Promise.resolve(folder) } });
}

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['a file of the origin’s', true],
  ['a Blob, where the browser does not write to handles', false],
])('%s: gives what was written, and leaves nothing', async (_, isWritable) => {
  givePrivateFiles(isWritable);
  const file = await TemporaryFile.create();
  const text = Buffer.from('....Hello world....');
  await file.write(text.subarray(4, 9));
  await file.write(text.subarray(9, 15));
  expect(files.size).toBe(isWritable ? 1 : 0);
  const { source, close } = await file.finish();
  const bytes = new Uint8Array(source.byteLength);
  await source.read(0, bytes);
  expect(Buffer.from(bytes).toString()).toBe('Hello world');
  await close();
  expect(files.size).toBe(0);
});

test('what was given up leaves nothing either', async () => {
  givePrivateFiles(true);
  const file = await TemporaryFile.create();
  await file.write(Buffer.from('Hello'));
  await file.remove();
  expect(files.size).toBe(0);
});

test('a page that is not secure has neither private files nor random names', async () => {
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('crypto', {});
  const file = await TemporaryFile.create();
  await file.write(Buffer.from('Hello'));
  expect((await file.finish()).source.byteLength).toBe(5);
});
