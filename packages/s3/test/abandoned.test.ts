// A sink that nobody has any more: its parts do not stay in the bucket.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { S3Server } from '@colkit/testkit/s3-server';
import { expect, it } from 'vitest';
import { bytesOf, storeOf, strictServer } from './support.ts';

async function forget(server: S3Server): Promise<void> {
  const sink = await storeOf(server, { partBytes: 5 << 20 }).create('x');
  await sink.write(bytesOf(11 << 20));
  await expect.poll(() => server.bucket.uploads.size, { timeout: 20_000 }).toBe(1);
  // Until here somebody has it.
  expect(sink.position).toBe(11 << 20);
}

it('aborts the upload of a sink that was collected', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const server = await strictServer();
  await forget(server);
  const left = (): number => {
    collect();
    return server.bucket.uploads.size;
  };
  await expect.poll(left, { timeout: 20_000, interval: 20 }).toBe(0);
  expect(server.log).toContain('DELETE x?uploadId');
});
