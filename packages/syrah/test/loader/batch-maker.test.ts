// Who reads a batch when there are no workers: the loader's thread while the bytes are there, others as soon as it had
// to wait for them.
import { MemorySource } from '@colkit/io';
import { expect, test } from 'vitest';
import { openSync } from '../../src/index.ts';
import type { Tensor } from '../../src/index.ts';
import { BatchMaker } from '../../src/loader/batch-maker.ts';
import { parseCollate } from '../../src/loader/collate.ts';
import type { CollateSpec } from '../../src/loader/collate.ts';
import { doc, file, key } from '@colkit/testkit/syr-bytes';

const ITEMS = 20;
const SLOW_MS = 5;

/** Memory whose synchronous reads keep the thread, as a disk does. */
class SlowSource extends MemorySource {
  slow = true;
  synchronous = 0;
  asynchronous = 0;

  override readSync(byteOffset: number, out: Uint8Array): void {
    this.synchronous += 1;
    if (this.slow) for (const end = performance.now() + SLOW_MS; performance.now() < end; );
    super.readSync(byteOffset, out);
  }

  override async read(byteOffset: number, out: Uint8Array): Promise<void> {
    this.asynchronous += 1;
    super.readSync(byteOffset, out);
    return Promise.resolve();
  }
}

test('after a read that had to wait, the next batches do not keep this thread; all are the same', async () => {
  const offsets = Array.from({ length: ITEMS }, (_, i) => 22 + i);
  const source = new SlowSource(
    file(
      Uint8Array.from({ length: ITEMS }, (_, i) => i * 3),
      doc(
        key(
          'a',
          'uint8',
          offsets,
          offsets.map(() => 1),
        ),
      ),
    ),
  );
  source.slow = false;
  const opened = openSync(source);
  source.slow = true;
  const maker = new BatchMaker([{ file: opened, keys: ['a'] }], {
    seed: 0,
    module: null,
    cast: null,
    collate: parseCollate('stack') as CollateSpec,
    inWorker: false,
  });
  const kinds: string[] = [];
  for (let item = 0; item < ITEMS; item += 1) {
    [source.synchronous, source.asynchronous] = [0, 0];
    const [tensor] = (await maker.make({ epoch: 0, indices: [item], parts: [0], items: [item] })) as Tensor[];
    expect(Array.from(tensor?.data as Uint8Array)).toEqual([item * 3]);
    expect(source.synchronous + source.asynchronous).toBe(1);
    kinds.push(source.synchronous === 1 ? 'here' : 'elsewhere');
  }
  const expected = ['here', ...Array<string>(8).fill('elsewhere')];
  expect(kinds).toEqual([...expected, ...expected, 'here', 'elsewhere']);
});
