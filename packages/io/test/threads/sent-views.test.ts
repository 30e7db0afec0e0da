// Messages for Deno's threads: without views on the way, and the same on the other side as a structured clone of them.
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { receivedViews, sentViews } from '../../src/threads/sent-views.ts';

const { port1, port2 } = new MessageChannel();

function through(message: unknown, avoids: boolean): unknown {
  port1.postMessage(sentViews(message, avoids));
  return receivedViews(receiveMessageOnPort(port2)?.message, avoids);
}

function hasView(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return ArrayBuffer.isView(value) || Object.values(value).some(hasView);
}

const memory = Uint8Array.from({ length: 64 }, (_, byte) => byte).buffer;
const shared = new SharedArrayBuffer(16);
const own: unknown = JSON.parse('{"__proto__": [1, null, "text"]}');

test.each<[string, unknown]>([
  [
    'views of every kind',
    [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array].map(
      (Kind) => new Kind(memory, 8, 3),
    ),
  ],
  ['wide ones', [new Float64Array(memory, 8, 2), new BigInt64Array(memory, 0, 1), new BigUint64Array(memory)]],
  ['a DataView', { view: new DataView(memory, 3, 7) }],
  ['a part of a Buffer', Buffer.from('some text').subarray(2, 5)],
  ['none and empty ones', [{}, [], new Float32Array(0), undefined, null, 1n, 'text', NaN]],
  ['what is deep in it', [{ number: 1, value: { columns: [{ bytes: new Uint8Array(memory, 1, 2) }] } }]],
  ['objects without a prototype', Object.assign(Object.create(null) as object, { a: Uint8Array.of(1) })],
  ['keys of all names', own],
  ['others', { when: new Date(5), map: new Map([[1, 'a']]), error: new RangeError('no'), memory }],
])('%s', (_, message) => {
  expect(hasView(sentViews(message, true))).toBe(false);
  expect(through(message, true)).toStrictEqual(through(message, false));
});

test('what occurs twice is one, and so is what is in itself', () => {
  const view = new Uint16Array(memory, 2, 4);
  const item: Record<string, unknown> = { view, again: view };
  item['self'] = [item];
  const found = through(item, true) as typeof item;
  expect(found['again']).toBe(found['view']);
  expect((found['self'] as unknown[])[0]).toBe(found);
});

test('shared memory stays shared', () => {
  const found = through({ view: new Uint8Array(shared, 4, 4) }, true) as { view: Uint8Array };
  found.view[0] = 7;
  expect(new Uint8Array(shared)[4]).toBe(7);
});

test('where nothing is to be avoided, a message is sent as it is', () => {
  const message = { view: Uint8Array.of(1) };
  expect(sentViews(message)).toBe(message);
  expect(receivedViews(message)).toBe(message);
});
