// Ranges of a source as operations, in Node and in browsers.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MemorySource } from '@colkit/io';
import * as node from '../../src/effects/index.ts';
import * as browser from '../../src/effects/browser.ts';

const source = new MemorySource(Uint8Array.from({ length: 100 }, (_, i) => i));

describe.each([
  ['Node', node],
  ['browsers', browser],
])('for %s', (_, { ReadRange, ReadRanges, WorkContext, readBytes, run, runSync }) => {
  test.each(['run', 'runSync'])('%s fills one range or many, and counts the bytes', async (form) => {
    const context = new WorkContext();
    const work = function* (): node.Work<number[][]> {
      const one = new Uint8Array(2);
      yield new ReadRange(source, 7, one);
      const out = new Uint8Array(8);
      yield new ReadRanges(source, {
        offsets: Float64Array.of(3, 50),
        lengths: Float64Array.of(2, 3),
        out,
        outOffsets: Float64Array.of(0, 4),
      });
      return [[...one], [...out], [...(yield* readBytes(source, 97, 3))], [...(yield* readBytes(source, 100, 0))]];
    };
    expect(form === 'run' ? await run(work(), context) : runSync(work(), context)).toEqual([
      [7, 8],
      [3, 4, 0, 0, 50, 51, 52, 0],
      [97, 98, 99],
      [],
    ]);
    expect(context.bytesRead).toBe(10);
  });

  test.each(['run', 'runSync'])('%s: an abort is thrown where the next range is asked for', async (form) => {
    const controller = new AbortController();
    const context = new WorkContext({ signal: controller.signal });
    const reason = new Error('given up');
    const asked: string[] = [];
    const work = function* (): node.Work<void> {
      yield new ReadRange(source, 0, new Uint8Array(1));
      controller.abort(reason);
      for (const effect of [
        new ReadRange(source, 0, new Uint8Array(1)),
        new ReadRanges(source, {
          offsets: Float64Array.of(0),
          lengths: Float64Array.of(1),
          out: new Uint8Array(1),
          outOffsets: Float64Array.of(0),
        }),
      ]) {
        try {
          yield effect;
        } catch (error) {
          asked.push(String(error === reason));
        }
      }
    };
    await (form === 'run' ? run(work(), context) : Promise.resolve(runSync(work(), context)));
    expect(asked).toEqual(['true', 'true']);
  });
});

test('the signal of the context is handed on', async () => {
  const { signal } = new AbortController();
  const signals: unknown[] = [];
  const noting = {
    path: 'noting',
    byteLength: 9,
    read: (_: number, __: Uint8Array, given?: AbortSignal) => Promise.resolve(void signals.push(given)),
    readSync: () => undefined,
  };
  await node.run(node.readBytes(noting, 0, 9), new node.WorkContext({ signal }));
  expect(signals).toEqual([signal]);
});

test('both have the same names', () => {
  expect(Object.keys(browser).sort()).toEqual(Object.keys(node).sort());
});

test('the package sends browsers to theirs', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    exports: Record<string, object>;
    publishConfig: { exports: Record<string, object> };
  };
  for (const { './effects': entry } of [manifest.exports, manifest.publishConfig.exports]) {
    expect(entry).toMatchObject({
      browser: { types: './dist/effects-browser.d.ts', default: './dist/browser/effects/browser.js' },
    });
    expect(Object.keys(entry ?? {}).indexOf('browser')).toBeLessThan(Object.keys(entry ?? {}).indexOf('default'));
  }
});
