// The browser entry: nothing that it imports, directly or not, is a Node module or the addon; it has the same names as
// the Node entry but for files; and it works.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as browser from '../src/browser.ts';
import * as node from '../src/index.ts';
import { rangeServer } from './support/range-server.ts';
import { rejectedBy, thrownBy } from './support/thrown.ts';

const IMPORT =
  /^\s*(?:import|export)\b(?!\s+type\b)[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\b(?:import|require)\(\s*['"]([^'"]+)['"]\s*\)/gm;

const COMMENT = /^\s*(?:\/\/|\/?\*).*$/gm;

/** Everything that a module imports at run time, with what that imports; X-browser.ts in place of X.ts as in builds. */
function importsOf(entry: URL, isForBrowsers = true): { modules: Set<string>; outside: Set<string> } {
  const modules = new Set<string>();
  const outside = new Set<string>();
  const visit = (url: URL): void => {
    if (modules.has(url.pathname)) return;
    modules.add(url.pathname);
    for (const match of readFileSync(url, 'utf8').replace(COMMENT, '').matchAll(IMPORT)) {
      const name = match[1] ?? match[2] ?? match[3] ?? '';
      if (name.startsWith('.')) visit(twinOf(new URL(name, url), isForBrowsers));
      else outside.add(name.replace(/^node:/, '')); // the build drops the prefix
    }
  };
  visit(entry);
  return { modules, outside };
}

function twinOf(url: URL, isForBrowsers: boolean): URL {
  const twin = new URL(url.href.replace(/\.ts$/, '-browser.ts'));
  return isForBrowsers && existsSync(twin) ? twin : url;
}

describe.each([
  ['the sources', '../src/browser.ts', '../src/index.ts'],
  ['the build', '../dist/browser/browser.js', '../dist/index.js'],
  ['the effects', '../src/effects/browser.ts', '../src/index.ts'],
  ['their build', '../dist/browser/effects/browser.js', '../dist/index.js'],
])('in %s', (_, entry, whole) => {
  test('nothing from Node and no addon is imported', () => {
    expect(
      [...importsOf(new URL(entry, import.meta.url)).outside].filter((name) => name !== '@petamoriken/float16'),
    ).toEqual([]);
  });

  test('the Node entry would be noticed', () => {
    const { outside } = importsOf(new URL(whole, import.meta.url), false);
    expect([...outside]).toEqual(expect.arrayContaining(['@colkit/native', 'fs', 'path']));
  });
});

test('the names are those of the Node entry, without the files', () => {
  const missing = Object.keys(node).filter((name) => !(name in browser));
  expect([missing.sort(), Object.keys(browser).filter((name) => !(name in node))]).toEqual([
    ['FileSource', 'MappedSource', 'gatherFiles'],
    [],
  ]);
});

test('the package sends browsers there', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    exports: Record<string, unknown>;
    publishConfig: { exports: Record<string, unknown> };
  };
  const expected = { types: './dist/browser.d.ts', default: './dist/browser/browser.js' };
  for (const { '.': entry } of [manifest.exports, manifest.publishConfig.exports]) {
    expect(entry).toMatchObject({ browser: expected });
    // Conditions are tried in order.
    const conditions = Object.keys(entry as object);
    expect(conditions.indexOf('browser')).toBeLessThan(conditions.indexOf('default'));
  }
});

describe('it', () => {
  test('opens bytes and Blobs, gathers and copies', async () => {
    const source = await browser.openSource(new Blob([Uint8Array.of(1, 2, 3, 4)]));
    const gatherer = browser.createGatherer(source, {
      rowStarts: Float64Array.of(0, 2),
      itemBytes: Int32Array.of(2),
      bases: Float64Array.of(0),
    });
    const [bytes] = browser.allocateOutputs([4]) as [Uint8Array];
    await gatherer.gather({
      columns: Int32Array.of(0),
      rows: { kind: 'range', start: 1, step: -1, count: 2 },
      outputs: [{ bytes, byteOffset: 0, byteStride: 2 }],
    });
    expect([...bytes]).toEqual([3, 4, 1, 2]);
    const memory = browser.openSourceSync(Uint8Array.of(5, 6, 7));
    const request = {
      offsets: Float64Array.of(1),
      lengths: Float64Array.of(2),
      out: new Uint8Array(2),
      outOffsets: Float64Array.of(0),
    };
    browser.copyRangesSync(memory, request);
    expect([...request.out]).toEqual([6, 7]);
    await browser.copyRanges(memory, { ...request, offsets: Float64Array.of(0) });
    expect([...request.out]).toEqual([5, 6]);
    expect(browser.crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
    expect(browser.typedArrayOver(browser.parseDType('uint16'), Uint8Array.of(1, 2))[0]).toBe(0x201);
  });

  test('says what needs Node', async () => {
    const feature = { name: 'UnsupportedError', code: 'ERR_FEATURE' };
    expect(await rejectedBy(browser.openFileSink())).toMatchObject(feature);
    expect(thrownBy(() => browser.openFileSinkSync())).toMatchObject(feature);
    expect(thrownBy(() => browser.openSourceSync('table.cna'))).toMatchObject(feature);
    expect(await rejectedBy(browser.openSource(new URL('file:///table.cna')))).toMatchObject(feature);
    expect(await rejectedBy(browser.openSource('no page, no base'))).toMatchObject({ name: 'ArgumentError' });
    expect(browser.backendInfo()).toEqual({
      backend: 'js',
      reason: 'this is the build for browsers',
      path: null,
      tried: [],
    });
    expect(browser.maxWorkers()).toBe(1);
  });

  test('reads and writes what it names in their place', async () => {
    const says = /needs Node; in a browser open a URL, a Blob or bytes, and write to a MemorySink$/;
    for (const error of [
      await rejectedBy(browser.openSource(new URL('file:///table.cna'))),
      await rejectedBy(browser.openFileSink()),
      thrownBy(() => browser.openSourceSync('table.cna')),
    ])
      expect((error as Error).message).toMatch(says);
    const bytes = Uint8Array.of(1, 2, 3);
    const { url } = await rangeServer(bytes);
    for (const what of [url, new URL(url), new Blob([bytes]), bytes]) {
      const source = await browser.openSource(what);
      const read = new Uint8Array(2);
      await source.read(1, read);
      source.close();
      expect([...read]).toEqual([2, 3]);
    }
    const sink = new browser.MemorySink();
    await sink.write(bytes);
    await sink.finish();
    expect(sink.bytes()).toEqual(bytes);
  });
});
