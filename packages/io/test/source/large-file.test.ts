// Beyond 4 GiB: a sparse file with a few bytes far out, read, viewed and gathered by every local source.
import { constants } from 'node:buffer';
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGatherer, openSourceSync } from '@colkit/io';
import { IS_NATIVE } from '../support/backend.ts';
import { testFolder } from '../support/folder.ts';
import { thrownBy } from '../support/thrown.ts';

const folder = testFolder();
const ROWS = 700_000_000;
const FAR = ROWS - 2;

function sparseFile(): string {
  const path = join(folder.path, 'sparse');
  const fd = openSync(path, 'w');
  ftruncateSync(fd, 8 * ROWS + 3);
  writeSync(fd, new Uint8Array(Float64Array.of(1.5, 2.5).buffer), 0, 16, 8 * FAR + 3);
  writeSync(fd, new Uint8Array(Float64Array.of(-1).buffer), 0, 8, 3);
  closeSync(fd);
  return path;
}

const path = sparseFile();

describe.each(IS_NATIVE ? (['mmap', 'pread'] as const) : (['pread'] as const))('a file of 5.6 GB by %s', (io) => {
  test('is read and gathered at any offset', async () => {
    const source = openSourceSync(path, { io });
    const item = new Uint8Array(8);
    source.readSync(8 * FAR + 3, item);
    expect(new Float64Array(item.buffer)[0]).toBe(1.5);
    const gatherer = createGatherer(source, {
      rowStarts: Float64Array.of(0, ROWS),
      itemBytes: Int32Array.of(8),
      bases: Float64Array.of(3),
    });
    const values = new Float64Array(5);
    const request = {
      columns: Int32Array.of(0),
      rows: { kind: 'indices' as const, indices: Float64Array.of(FAR, 0, -1, ROWS - 1, 1) },
      outputs: [{ bytes: new Uint8Array(values.buffer), byteOffset: 0, byteStride: 8 }],
    };
    gatherer.gatherSync(request);
    expect([...values]).toEqual([1.5, -1, 2.5, 2.5, 0]);
    values.fill(0);
    await gatherer.gather(request);
    expect([...values]).toEqual([1.5, -1, 2.5, 2.5, 0]);
    source.close();
  });

  test.runIf(io === 'mmap')('has views far out, up to what one buffer holds', () => {
    const source = openSourceSync(path, { io });
    expect([...new Float64Array(source.view(8 * FAR + 3, 16).buffer)]).toEqual([1.5, 2.5]);
    if (constants.MAX_LENGTH < 8 * ROWS) {
      expect(thrownBy(() => source.view(0, constants.MAX_LENGTH + 1))).toMatchObject({
        name: 'CannotViewError',
        code: 'ERR_VIEW_TOO_LARGE',
      });
    }
    source.close();
  });
});
