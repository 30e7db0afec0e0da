import { expect, test } from 'vitest';
import { MemorySource, backendInfo, createGatherer, openFileSinkSync, openSourceSync } from '@colkit/io';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
test('smoke', async () => {
  console.log(backendInfo());
  const bytes = new Uint8Array(1_000_000).map((_, i) => (i * 7919) >> 3);
  const path = join(mkdtempSync(join(tmpdir(), 'io-')), 'a.bin');
  const sink = openFileSinkSync(path); sink.writeSync(bytes); sink.finishSync();
  const segments = { rowStarts: Float64Array.of(0, 10_000, 20_000), itemBytes: Int32Array.of(8, 3), bases: Float64Array.of(16, 100_016, 300_001, 500_003) };
  const indices = Int32Array.from({ length: 5000 }, (_, i) => ((i * 7919) % 20_000) - (i % 3 === 0 ? 20_000 : 0));
  const results = [];
  for (const source of [new MemorySource(bytes), openSourceSync(path), openSourceSync(path, { io: 'pread' })]) {
    const outs = [new Uint8Array(40_000), new Uint8Array(15_000)];
    const g = createGatherer(source, segments);
    g.gatherSync({ columns: Int32Array.of(0, 1), rows: { kind: 'indices', indices }, outputs: outs.map((bytes, k) => ({ bytes, byteOffset: 0, byteStride: [8, 3][k]! })) });
    const outs2 = [new Uint8Array(40_000), new Uint8Array(15_000)];
    await g.gather({ columns: Int32Array.of(0, 1), rows: { kind: 'indices', indices }, outputs: outs2.map((bytes, k) => ({ bytes, byteOffset: 0, byteStride: [8, 3][k]! })) });
    expect(outs2).toEqual(outs);
    results.push(outs);
  }
  const row = indices[1]!;
  expect(results[0]![0]!.subarray(8, 16)).toEqual(bytes.subarray(16 + row * 8, 24 + row * 8));
  expect(results[1]).toEqual(results[0]);
  expect(results[2]).toEqual(results[0]);
});
