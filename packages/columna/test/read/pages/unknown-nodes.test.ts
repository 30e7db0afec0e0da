// Pages of which an inner node is of an encoding that nobody knows: rows that need it are refused, any others are what
// they are, with the addon as without it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openSync, readSync } from '../../../src/index.ts';
import { answer } from '../../support/answer.ts';
import { withByte } from '../../support/damaged.ts';
import { writeTable } from '../../support/table.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-unknown-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = 400;
const PATCHED = (row: number): boolean => row % 50 === 9;
const TAKEN = [
  [1],
  [0, 399],
  [1, 40, 398],
  [9],
  [9, 10],
  [399, 3, 7, 120],
  Array.from({ length: 90 }, (_, i) => 4 * i),
];

it('patches that cannot be read are missed by the rows that are patched, and by no others', () => {
  const path = join(folder, 'patched.cna');
  const key = Int32Array.from({ length: ROWS }, (_, row) =>
    PATCHED(row) ? 1_000_000_000 + row * row * 7919 : (row * 5) % 29,
  );
  const { bytes } = writeTable([{ name: 'key', type: 'int32', values: key, encoding: 'PATCHED' }], {});
  const end = bytes.length - 8 - new DataView(bytes.buffer).getUint32(bytes.length - 8, true);
  let unreadable = 0;
  for (let position = 4; position < end; position++) {
    const damaged = withByte(bytes, position, 0x7f);
    if (answer(() => readSync(damaged, { verifyCrc: false })) !== 'ERR_ENCODING') continue;
    writeFileSync(path, damaged);
    for (const rows of TAKEN) {
      const [js, native] = (['js', 'native'] as const).map((backend) => {
        using table = openSync(path, { backend, verifyCrc: false });
        return answer(() => table.take(rows).toColumnsSync());
      });
      expect(native).toEqual(js);
      if (js === 'ERR_ENCODING') continue;
      unreadable++;
      expect((js as { key: Int32Array }).key).toEqual(Int32Array.from(rows, (row) => key[row] as number));
    }
  }
  expect(unreadable).toBeGreaterThan(0);
});
