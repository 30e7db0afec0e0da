// A sink that nobody has any more: its parts do not stay in the bucket.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { S3Store } from '../src/index.ts';
import { bytesOf, storeOf, strictServer } from './support.ts';

async function forget(store: S3Store): Promise<void> {
  const sink = await store.create('x');
  await sink.write(bytesOf(11 << 20));
}

it('aborts the upload of a sink that was collected', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const server = await strictServer();
  await forget(storeOf(server, { partBytes: 5 << 20 }));
  await expect.poll(() => server.bucket.uploads.size).toBe(1);
  await expect
    .poll(
      () => {
        collect();
        return server.bucket.uploads.size;
      },
      { timeout: 20_000, interval: 20 },
    )
    .toBe(0);
});
