// A writer whose file is no path: the same bytes in a sink, and what only a path has is refused.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { MemorySink, create, createSync, open } from '../../src/index.ts';
import type { CreateOptions } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'syrah-sinks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const items = Array.from({ length: 40 }, (_, i) => ({ x: Float32Array.of(i, i / 2), label: Int32Array.of(i % 3) }));

it.each<CreateOptions>([{}, { align: 64 }, { schema: { x: 'float32', label: 'int32' } }])(
  'the bytes in a sink are those of a file: %j',
  async (options) => {
    const path = join(folder, 'a.syr');
    const inFile = createSync(path, { ...options, overwrite: true });
    for (const item of items) inFile.addItemSync(item);
    inFile.closeSync();
    const stored = new Uint8Array(readFileSync(path));

    const awaited = new MemorySink();
    const writer = await create(awaited, options);
    await writer.addItems(items);
    await writer.close();
    expect(awaited.bytes()).toEqual(stored);

    const atOnce = new MemorySink();
    const other = createSync(atOnce, options);
    for (const item of items) other.addItemSync(item);
    other.closeSync();
    expect(atOnce.bytes()).toEqual(stored);

    const file = await open(awaited.bytes());
    expect(file.getItemSync(7)['label']).toEqual(Int32Array.of(1));
    file.close();
  },
);

it.each(['roll', 'journal'] as const)('%s needs a path', async (name) => {
  const error = await create(new MemorySink(), { [name]: true }).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'ERR_ARGUMENT', argument: name });
});

it('what is neither path, sink nor handle is refused', async () => {
  for (const target of [{}, null, 7, new MemorySink().write])
    expect(await create(target as never).catch((caught: unknown) => caught)).toMatchObject({ code: 'ERR_ARGUMENT' });
});

/** Sends the buffer of an array to another thread while the sink writes for the `at`-th time. */
function transferring(array: Float64Array<ArrayBuffer>, at: number): MemorySink {
  return new (class extends MemorySink {
    #writes = 0;

    override async write(bytes: Uint8Array): Promise<void> {
      const own = bytes.slice();
      this.#writes += 1;
      if (this.#writes === at) structuredClone(array.buffer, { transfer: [array.buffer] });
      await super.write(own);
    }
  })();
}

it('an array that is transferred while its item is written is told, or was written as it was', async () => {
  const LARGE = 300_000;
  for (const at of [1, 2, 3]) {
    const [x, y] = [new Float64Array(LARGE).fill(1), new Float64Array(LARGE).fill(2)];
    const sink = transferring(x, at);
    const writer = await create(sink);
    const code = await writer.addItem({ x, y }).then(
      () => 'written',
      (error: unknown) => (error as { code?: unknown }).code,
    );
    // The header goes first, then each array.
    expect(code).toBe(at < 3 ? 'ERR_DETACHED' : 'written');
    if (at < 3) continue;
    await writer.close();
    const item = (await open(sink.bytes())).getItemSync(0);
    expect([item['x']?.length, item['y']?.length]).toEqual([LARGE, LARGE]);
  }
});
