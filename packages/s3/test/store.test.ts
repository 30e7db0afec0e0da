// What every server of the S3 API has to do for a store; `npm run test:s3` runs it against a real one, too.
import { openSource } from '@colkit/io';
import { expect, it } from 'vitest';
import { REAL, all, bytesOf, newStore } from './support.ts';

const KEYS = [
  'a/plain.bin',
  'a/with space+plus%25percent.bin',
  'a/&<>"\'!*().bin',
  'a/zażółć-日本-\u{1F600}.bin',
  'a/\uE000.bin',
  // moto finds no object of such a name.
  ...(REAL === undefined ? ['a/line\nbreak.bin'] : []),
  'a/a=b?c#d~e;f:g@h,$.bin',
  'b.bin',
];
const inOrder = (keys: readonly string[]): string[] => [...keys].sort((left, right) => (left < right ? -1 : 1));

it('has objects under odd keys, and lists them in their order', async () => {
  const store = await newStore({ prefix: 'orders and more' });
  for (const [index, key] of KEYS.entries())
    expect(await store.putIfAbsent(key, Uint8Array.of(index, 1, 2))).toBe(true);
  const found = await all(store.list(''));
  expect(found.map(({ key }) => key)).toEqual(inOrder(KEYS));
  expect((await all(store.list('a/'))).map(({ key }) => key)).toEqual(inOrder(KEYS.filter((key) => key !== 'b.bin')));
  expect((await all(store.list('a/wi'))).map(({ key }) => key)).toEqual(['a/with space+plus%25percent.bin']);
  expect(await all(store.list('c'))).toEqual([]);
  for (const after of [...KEYS, 'a', 'a/z', 'b', 'c']) {
    const keys = (await all(store.list('', { after }))).map(({ key }) => key);
    expect(keys).toEqual(inOrder(KEYS).filter((key) => key > after));
  }
  for (const [index, key] of KEYS.entries()) expect(await store.read(key)).toEqual(Uint8Array.of(index, 1, 2));
  const [first] = found;
  const source = await store.open('a/plain.bin');
  expect(first).toMatchObject({ byteLength: 3, etag: found.find(({ key }) => key === first!.key)!.etag });
  expect(Math.abs(Date.now() - first!.modified)).toBeLessThan(120_000);
  expect(found.find(({ key }) => key === 'a/plain.bin')!.etag).toBe(source.version);
  source.close();
  for (const key of KEYS) await store.delete(key);
  await store.delete('b.bin');
  expect(await all(store.list(''))).toEqual([]);
});

it('writes an object once', async () => {
  const store = await newStore();
  expect(await store.putIfAbsent('k', Uint8Array.of(1))).toBe(true);
  expect(await store.putIfAbsent('k', Uint8Array.of(2))).toBe(false);
  await expect(store.create('k')).rejects.toMatchObject({ code: 'ERR_EXISTS' });
  const results = await Promise.all(Array.from({ length: 8 }, (_, by) => store.putIfAbsent('race', Uint8Array.of(by))));
  expect(results.filter((isOurs) => isOurs)).toHaveLength(1);
  expect(await store.read('race')).toEqual(Uint8Array.of(results.indexOf(true)));
  expect(await store.read('k')).toEqual(Uint8Array.of(1));
  await expect(store.read('none')).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' });
  await expect(store.open('none')).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' });
  await store.putIfAbsent('empty', new Uint8Array(0));
  expect(await store.read('empty')).toHaveLength(0);
});

it('writes large objects in parts, and headers at the end', async () => {
  const store = await newStore({ partBytes: 5 << 20 });
  const bytes = bytesOf((11 << 20) + 7);
  const sink = await store.create('large.bin');
  for (let at = 0; at < bytes.length; at += 999_999) await sink.write(bytes.subarray(at, at + 999_999));
  expect(sink.position).toBe(bytes.length);
  // At the beginning, over the end of the first part where the second is at hand no more, and in the last one.
  await sink.writeAt(3, Uint8Array.of(1, 2, 3));
  await sink.writeAt(bytes.length - 2, Uint8Array.of(9, 9));
  await expect(sink.writeAt(6 << 20, Uint8Array.of(1))).rejects.toMatchObject({ code: 'ERR_FEATURE' });
  await expect(sink.writeAt(bytes.length, Uint8Array.of(1))).rejects.toThrow(RangeError);
  expect(await all(store.list(''))).toEqual([]);
  await sink.finish();
  bytes.set([1, 2, 3], 3);
  bytes.set([9, 9], bytes.length - 2);
  expect(Buffer.compare(await store.read('large.bin'), bytes)).toBe(0);
  await expect(sink.write(bytes)).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  // In the same moment as another one.
  const [one, two] = await Promise.all([store.create('again.bin'), store.create('again.bin')]);
  for (const each of [one, two]) await each.write(bytes);
  await one.finish();
  await expect(two.finish()).rejects.toMatchObject({ code: 'ERR_EXISTS' });
  const given = await store.create('given-up.bin');
  await given.write(bytes);
  await given.abort();
  expect((await all(store.list(''))).map(({ key }) => key)).toEqual(['again.bin', 'large.bin']);
});

it('reads ranges of the version that was opened, in other threads too', async () => {
  const store = await newStore();
  const bytes = bytesOf(200_000);
  await store.putIfAbsent('x.bin', bytes);
  const source = await store.open('x.bin');
  const out = new Uint8Array(100);
  await source.read(50, out);
  expect(out).toEqual(bytes.subarray(50, 150));
  // The handle is plain data, and needs no credentials.
  const handle = JSON.parse(JSON.stringify(source.reopen())) as NonNullable<ReturnType<typeof source.reopen>>;
  const other = await openSource(handle);
  await other.read(100_000, out);
  expect(out).toEqual(bytes.subarray(100_000, 100_100));
  other.close();
  await store.delete('x.bin');
  await store.putIfAbsent('x.bin', bytesOf(200_000, 2));
  await expect(source.read(0, out)).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
  source.close();
});
