// Handles of files as browsers have them: what those do in their own ways. Real ones are written to by
// colkit's test/bundle/formats-in-browsers.test.ts.
import { expect, test } from 'vitest';
import { perform } from '../../src/effects/effect.ts';
import type { Work } from '../../src/effects/effect.ts';
import { run } from '../../src/effects/run.ts';
import { BlobSource } from '../../src/source/blob-source.ts';
import type { FileHandle } from '../../src/writer/handle-sink.ts';
import { writeFile as writeInBrowser } from '../../src/writer/output-browser.ts';
import { writeFile } from '../../src/writer/output.ts';
import type { Output } from '../../src/writer/output.ts';
import { targetName } from '../../src/writer/sink-output.ts';

/** Of one name, as browsers throw it. */
const failure = (name: string): Error => Object.assign(new Error('as a browser says it'), { name });

/** As WebKit's: of a view the whole buffer is written. */
class WebkitHandle {
  readonly name = 'a.cna';
  bytes = Buffer.alloc(0);

  getFile(): Promise<Blob> {
    return Promise.resolve(new Blob([this.bytes]));
  }

  createWritable() {
    let written = Buffer.alloc(0);
    return Promise.resolve({
      write: ({ position, data }: { readonly position: number; readonly data: Uint8Array }) => {
        const longer = Buffer.alloc(Math.max(written.length, position + data.buffer.byteLength));
        written.copy(longer);
        longer.set(new Uint8Array(data.buffer), position);
        written = longer;
        return Promise.resolve();
      },
      close: () => {
        this.bytes = written;
        return Promise.resolve();
      },
      abort: () => Promise.resolve(),
    });
  }
}

function* hello(output: Output): Work<void> {
  const text = Buffer.from('....Hello world....');
  yield* perform(output.write(text.subarray(4, 9)));
  yield* perform(output.write(text.subarray(9, 15)));
  yield* perform(output.writeAt(0, Buffer.from('xJx').subarray(1, 2)));
}

test('views of a buffer are written without what is around them', async () => {
  const handle = new WebkitHandle();
  await run(writeFile(handle, {}, hello));
  expect(handle.bytes.toString()).toBe('Jello world');
});

test('a browser that does not write to handles is told, and what helps', () => {
  const handle = { name: 'a.cna', getFile: () => Promise.resolve(new Blob([])) } as unknown as FileHandle;
  // A handle, and for these browsers none that is written to.
  expect(targetName(handle, String)).toBe('a.cna');
  expect(() => writeInBrowser(handle, {}, hello)).toThrow(
    expect.objectContaining({
      code: 'ERR_FEATURE',
      message: expect.stringMatching(/MemorySink.*Blob.*Safari/u) as string,
    }),
  );
});

test.each([
  ['NoModificationAllowedError', 'ERR_LOCKED'],
  ['InvalidStateError', 'ERR_LOCKED'],
  ['NotFoundError', 'ERR_NOT_FOUND'],
  ['QuotaExceededError', 'ERR_WRITE'],
])('%s of a handle is %s', async (name, code) => {
  const handle = Object.assign(new WebkitHandle(), { createWritable: () => Promise.reject(failure(name)) });
  await expect(run(writeFile(handle, {}, hello))).rejects.toMatchObject({ code, path: 'a.cna' });
});

test.each(['NotReadableError', 'NotFoundError', 'AbortError'])('%s of a File means that it changed', async (name) => {
  const blob = new Blob(['Hello']);
  blob.slice = () => Object.assign(new Blob([]), { arrayBuffer: () => Promise.reject(failure(name)) });
  await expect(new BlobSource(blob).read(0, new Uint8Array(5))).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
});
