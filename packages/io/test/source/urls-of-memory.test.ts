// What is opened by a URL that no server answers (`blob:`, `data:`), and by the handle of a file.
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { filePath, openSource, openSourceSync, remoteUrl } from '@colkit/io';
import { openSource as openInBrowser } from '../../src/browser.ts';
import { localPath } from '../../src/source/paths/file-path.ts';
import { testFolder } from '../support/folder.ts';
import { rejectedBy, thrownBy } from '../support/thrown.ts';

const folder = testFolder();

describe.each([
  ['Node', openSource],
  ['browsers', openInBrowser],
])('in %s', (_, open) => {
  test('the URL of a Blob is read', async () => {
    const url = URL.createObjectURL(new Blob(['abcdef']));
    for (const given of [url, new URL(url)]) {
      const source = await open(given);
      const out = new Uint8Array(3);
      await source.read(2, out);
      expect([new TextDecoder().decode(out), source.byteLength, source.path]).toEqual(['cde', 6, url]);
    }
    URL.revokeObjectURL(url);
    expect(await rejectedBy(open(url))).toMatchObject({ name: 'IoError', code: 'ERR_NOT_FOUND', path: url });
  });

  test('a data: URL is read, and its bytes are in no name', async () => {
    const source = await open('data:text/csv;base64,YSxi');
    const out = new Uint8Array(3);
    await source.read(0, out);
    expect([new TextDecoder().decode(out), source.path]).toEqual(['a,b', 'data:text/csv;base64,…']);
    const reason = new Error('enough');
    expect(await rejectedBy(open('data:,a', { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });

  test('the handle of a file is read', async () => {
    const handle = { name: 'a.bin', getFile: () => Promise.resolve(new File(['abc'], 'a.bin')) };
    const source = await open(handle);
    expect([source.path, source.byteLength]).toEqual(['a.bin', 3]);
    expect(thrownBy(() => openSourceSync(handle))).toMatchObject({ name: 'UnsupportedError', code: 'ERR_FEATURE' });
    const failing = (name: string) => ({
      ...handle,
      getFile: () => Promise.reject(new DOMException('it is gone', name)),
    });
    expect(await rejectedBy(open(failing('NotFoundError')))).toMatchObject({ code: 'ERR_NOT_FOUND', path: 'a.bin' });
    expect(await rejectedBy(open(failing('NotAllowedError')))).toMatchObject({ code: 'ERR_READ', path: 'a.bin' });
  });
});

test('what is a URL and what is a path', () => {
  for (const url of ['http://h/a', 'HTTPS://h/a', 'blob:nodedata:1', 'data:,a', 'data:text/csv,a']) {
    expect([localPath(url), remoteUrl(url) === null]).toEqual([null, false]);
    expect(thrownBy(() => filePath(url))).toMatchObject({ name: 'ArgumentError', argument: 'path' });
  }
  const path = folder.file('a.bin', new Uint8Array(1));
  for (const url of [pathToFileURL(path), pathToFileURL(path).href, pathToFileURL(path).href.replace('file', 'FILE')])
    expect([localPath(url), remoteUrl(url), filePath(url)]).toEqual([path, null, path]);
  for (const given of ['a.bin', 'data', 'data:1', 'C:\\data', 'http:a', 'blob'])
    expect([localPath(given), remoteUrl(given), filePath(given)]).toEqual([given, null, given]);
});

test('a file is opened by its URL in capitals', async () => {
  const path = folder.file('b.bin', new Uint8Array(4));
  expect((await openSource(pathToFileURL(path).href.replace('file', 'FILE'))).byteLength).toBe(4);
});
