import { describe, expect, test } from 'vitest';
import { MemorySink, openFileSink, openFileSinkSync } from '@colkit/io';
import type { Sink } from '@colkit/io';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { patternBytes, sameBytes, testFolder } from '../support/folder.ts';
import { rejectedBy, thrownBy } from '../support/thrown.ts';

const folder = testFolder();
let next = 0;

/** A sink, and what was written once it is finished. */
interface Opened {
  readonly sink: Sink;
  readonly content: () => Uint8Array;
}

const SINKS: { name: string; open: () => Promise<Opened> }[] = [
  {
    name: 'memory',
    open: () => {
      const sink = new MemorySink();
      return Promise.resolve({ sink, content: () => sink.bytes() });
    },
  },
  {
    name: 'file',
    open: async () => {
      const path = join(folder.path, String(next++));
      return { sink: await openFileSink(path), content: () => readFileSync(path) };
    },
  },
  {
    name: 'file, Sync',
    open: () => {
      const path = join(folder.path, String(next++));
      return Promise.resolve({ sink: openFileSinkSync(path), content: () => readFileSync(path) });
    },
  },
];

describe.each(SINKS)('a sink to $name', ({ open }) => {
  test('collects bytes in order and patches those before, directly', async () => {
    const { sink, content } = await open();
    sink.writeSync(new Uint8Array(8));
    sink.writeSync(Uint8Array.of(1, 2, 3));
    sink.writeSync(new Uint8Array(0));
    sink.writeAtSync(2, Uint8Array.of(9, 8));
    sink.writeAtSync(10, Uint8Array.of(7));
    expect(sink.position).toBe(11);
    sink.finishSync();
    expect([...content()]).toEqual([0, 0, 9, 8, 0, 0, 0, 0, 1, 2, 7]);
  });

  test('takes bytes, and of other numbers theirs; text and lists are refused, and it goes on', async () => {
    const { sink, content } = await open();
    const moved = Uint8Array.of(1);
    structuredClone(moved, { transfer: [moved.buffer] });
    for (const [given, code] of [
      ['text', 'ERR_ARGUMENT'],
      [[1, 2], 'ERR_ARGUMENT'],
      [new ArrayBuffer(2), 'ERR_ARGUMENT'],
      [{ byteLength: 1 }, 'ERR_ARGUMENT'],
      [null, 'ERR_ARGUMENT'],
      [moved, 'ERR_DETACHED'],
    ] as unknown as readonly [Uint8Array, string][]) {
      expect(await rejectedBy(sink.write(given))).toMatchObject({ code });
      expect(thrownBy(() => sink.writeSync(given))).toMatchObject({ code });
      expect(thrownBy(() => sink.writeAtSync(0, given))).toMatchObject({ code });
    }
    await sink.write(Uint16Array.of(0x0201, 0x0403) as unknown as Uint8Array);
    await sink.finish();
    expect([...content()]).toEqual([1, 2, 3, 4]);
  });

  test('and awaited, also where nobody waits between the calls', async () => {
    const { sink, content } = await open();
    const bytes = patternBytes(1_000_000);
    const writes = [];
    for (let at = 0; at < bytes.byteLength; at += 77_777) {
      writes.push(sink.write(bytes.subarray(at, at + 77_777)));
      expect(sink.position).toBe(Math.min(bytes.byteLength, at + 77_777));
    }
    writes.push(sink.writeAt(500_000, bytes.subarray(0, 100)));
    await Promise.all([...writes, sink.finish()]);
    const expected = Uint8Array.from(bytes);
    expected.set(bytes.subarray(0, 100), 500_000);
    expect(sameBytes(content(), expected)).toBe(true);
  });

  test('refuses patches outside of what was written, and goes on', async () => {
    const { sink, content } = await open();
    sink.writeSync(Uint8Array.of(1, 2));
    for (const at of [-1, 1.5, 2, 3, NaN]) {
      expect(thrownBy(() => sink.writeAtSync(at, Uint8Array.of(1)))).toMatchObject({
        name: 'ArgumentError',
        argument: 'byteOffset',
      });
      expect(await rejectedBy(sink.writeAt(at, Uint8Array.of(1)))).toMatchObject({ name: 'ArgumentError' });
    }
    await sink.write(Uint8Array.of(3));
    await sink.finish();
    expect([...content()]).toEqual([1, 2, 3]);
  });

  test('ends once: after finish or abort everything but abort is ClosedError', async () => {
    for (const end of ['finish', 'finishSync', 'abort', 'abortSync'] as const) {
      const { sink } = await open();
      await sink[end]();
      for (const action of [
        () => sink.writeSync(Uint8Array.of(1)),
        () => sink.writeAtSync(0, new Uint8Array(0)),
        () => sink.finishSync(),
      ])
        expect(thrownBy(action)).toMatchObject({ name: 'ClosedError' });
      for (const promise of [sink.write(Uint8Array.of(1)), sink.writeAt(0, new Uint8Array(0)), sink.finish()])
        expect(await rejectedBy(promise)).toMatchObject({ name: 'ClosedError', code: 'ERR_CLOSED' });
      await sink.abort();
      sink.abortSync();
    }
  });
});

test('an aborted memory sink holds nothing', () => {
  const sink = new MemorySink();
  sink.writeSync(Uint8Array.of(1));
  sink.abortSync();
  expect(sink.bytes().byteLength).toBe(0);
});

test('the bytes of a sink in memory whose buffer was transferred are no bytes any more', () => {
  const sink = new MemorySink();
  sink.writeSync(Uint8Array.of(1));
  structuredClone(0, { transfer: [sink.bytes().buffer as ArrayBuffer] });
  expect(thrownBy(() => sink.bytes())).toMatchObject({ code: 'ERR_DETACHED' });
});
