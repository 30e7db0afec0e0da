// Files that somebody adds to: who opens one meanwhile sees the rows of its last checkpoint, whichever way it asks, and
// never an error; where the writer is dead, it is told.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  append,
  appender,
  inspect,
  open,
  openSync,
  read,
  readSync,
  scan,
  verify,
  verifySync,
  write,
} from '../../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-written-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const upTo = (count: number): Int32Array => Int32Array.from({ length: count }, (_, row) => row);

test('row groups without a footer yet are not seen', async () => {
  const path = at('grows.cna');
  await write(path, { n: upTo(3) });
  const before = statSync(path).size;
  const writer = await appender(path, { rowGroupSize: 2, checkpoints: 'never' });
  await writer.write({ n: Int32Array.of(3, 4, 5, 6) });
  expect(statSync(path).size).toBeGreaterThan(before);
  expect(readFileSync(path).subarray(-4).toString('latin1')).not.toBe('CNA1');
  copyFileSync(path, at('dead.cna'));

  using first = await open(path);
  using second = openSync(path);
  for (const table of [first, second]) expect((await table.toColumns())['n']).toEqual(upTo(3));
  expect((await read(path))['n']).toEqual(upTo(3));
  expect(readSync(path)['n']).toEqual(upTo(3));
  expect(await scan(path, { where: 'n > 0' }).count()).toBe(2);
  expect(scan(path).countSync()).toBe(3);
  expect(await verify(path)).toMatchObject({ ok: true, rowCount: 3 });
  expect(verifySync(path)).toMatchObject({ ok: true, rowCount: 3 });
  const { footer } = await inspect(path);
  expect(footer.byteOffset + footer.byteLength).toBe(before);

  await writer.close();
  expect((await read(path))['n']).toEqual(upTo(7));
  expect(first.rowCount).toBe(3);
  expect((await first.toColumns())['n']).toEqual(upTo(3));

  // Nobody writes to the copy.
  for (const opening of [() => open(at('dead.cna')), () => read(at('dead.cna'))])
    await expect(opening()).rejects.toMatchObject({ code: 'ERR_UNCOMMITTED_TAIL' });
  expect(() => openSync(at('dead.cna'))).toThrow(expect.objectContaining({ code: 'ERR_UNCOMMITTED_TAIL' }));
  expect(await verify(at('dead.cna'))).toMatchObject({ ok: false });
});

test('of a busy writer every open sees whole rows, never fewer than before', async () => {
  const path = at('busy.cna');
  await write(path, { n: upTo(10) });
  let isDone = false;
  const writing = (async () => {
    for (let rows = 10; rows < 200; rows += 10)
      await append(path, { n: upTo(rows + 10).subarray(rows) }, { durability: 'none' });
    isDone = true;
  })();
  let least = 10;
  let opened = 0;
  while (!isDone) {
    const { n } = await read(path);
    expect(n).toEqual(upTo((n as Int32Array).length));
    expect((n as Int32Array).length).toBeGreaterThanOrEqual(least);
    least = (n as Int32Array).length;
    opened += 1;
  }
  await writing;
  expect(opened).toBeGreaterThan(3);
  expect((await read(path))['n']).toEqual(upTo(200));
});
