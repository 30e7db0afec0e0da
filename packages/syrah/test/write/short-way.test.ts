// Objects of typed arrays, which nearly all items are, are added on a way of their own: the file is the one that any
// other form gives.
import { createRandom } from '@colkit/testkit';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { create, createSync } from '../../src/index.ts';
import type { ItemInput } from '../../src/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
let counter = 0;
const newPath = (): string => folder.path(`s${String((counter += 1))}.syr`);

async function written(items: readonly ItemInput[]): Promise<Buffer> {
  const path = newPath();
  const writer = await create(path, { durability: 'none' });
  await writer.addItems(items);
  await writer.close();
  return readFileSync(path);
}

test('the same bytes as any other form, of every dtype, across the ends of the buffer', async () => {
  const random = createRandom(17);
  const types = [
    Int8Array,
    Uint8Array,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
  ] as const;
  const noise = Uint8Array.from({ length: 1_500_000 }, () => random.number() * 256);
  for (const order of [types, [...types].reverse(), [Float64Array, Uint8Array, Float64Array], [Uint8Array]]) {
    const array = (type: (typeof types)[number]): Uint8Array | Float64Array => {
      // Mostly short, sometimes empty, now and then longer than the buffer.
      const length =
        random.number() < 0.002 ? 150_000 : Math.floor(random.number() * (random.number() < 0.05 ? 3000 : 12));
      const byteLength = length * type.BYTES_PER_ELEMENT;
      const from = Math.floor(random.number() * (noise.length - byteLength));
      const bytes = noise.subarray(from, from + byteLength);
      const shift = Math.floor(random.number() * 3) * 8;
      const memory = new Uint8Array(shift + bytes.length);
      memory.set(bytes, shift);
      return new type(memory.buffer, shift, length) as Float64Array;
    };
    const items = Array.from({ length: 1500 }, () =>
      Object.fromEntries(order.map((type, key) => [`key ${String(key)}`, array(type)])),
    );
    const expected = await written(items.map((each) => new Map(Object.entries(each))));
    expect(Buffer.compare(await written(items), expected)).toBe(0);
    const path = newPath();
    const writer = createSync(path, { durability: 'none' });
    for (const [i, each] of items.entries())
      writer.addItemSync(
        i % 3 === 0 ? Object.entries(each) : i % 3 === 1 ? Object.assign(Object.create(null) as object, each) : each,
      );
    expect(writer.itemCount).toBe(items.length);
    writer.closeSync();
    expect(Buffer.compare(readFileSync(path), expected)).toBe(0);
  }
});
