// Some rows of DELTA pages: mode `fast` has a base for each 256 gaps, so that a row needs no others. Wherever a page is
// damaged, the addon and TypeScript say the same of these rows.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isColkitError, setDefaultBackend } from '@colkit/io';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { inspectSync, openSync } from '../../../src/index.ts';
import { backendsToAsk } from '../../support/backends.ts';
import { withByte } from '../../support/damaged.ts';
import { writeTable } from '../../support/table.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-delta-'));
const path = join(folder, 'delta.cna');
const BACKENDS = backendsToAsk();
afterEach(() => setDefaultBackend('js'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = 4000;
const counts = Int32Array.from({ length: ROWS }, (_, row) => row * 7 + ((row * row) % 5) - 9000);
const moments = BigInt64Array.from({ length: ROWS }, (_, row) => 2n ** 60n + BigInt(row) * 2n ** 40n + BigInt(row % 3));
// From blocks before and behind, their first and last rows, again, and rows that follow each other.
const TAKEN = [700, 255, 256, 257, 257, 3999, 0, 511, 512, 3584, 3583, 1, 2, 3, 700, 300, 301];

function take(): string {
  try {
    using table = openSync(path);
    const { n, at } = table.take(Int32Array.from(TAKEN)).toColumnsSync();
    return `${String(n)}; ${String(at)}`;
  } catch (error) {
    if (!isColkitError(error)) throw error;
    return error.code;
  }
}

describe.each(['fast', 'default'] as const)('rows of DELTA pages of mode %s', (mode) => {
  const { bytes } = writeTable(
    [
      { name: 'n', type: 'int32', values: counts, encoding: 'DELTA' },
      { name: 'at', type: 'int64', values: moments, encoding: 'DELTA' },
    ],
    { mode, pageRows: ROWS, rowGroupRows: ROWS },
  );

  it('are those that were asked for, in that order', () => {
    writeFileSync(path, bytes);
    for (const backend of BACKENDS) {
      setDefaultBackend(backend);
      expect(take()).toBe(`${String(TAKEN.map((row) => counts[row]))}; ${String(TAKEN.map((row) => moments[row]))}`);
    }
  });

  it('are the same with the addon, whatever byte is damaged', () => {
    writeFileSync(path, bytes);
    const { chunks } = inspectSync(path).rowGroups[0]!;
    for (const { byteOffset, byteLength } of chunks.flatMap(({ pages }) => pages)) {
      for (let at = byteOffset + 32; at < byteOffset + byteLength; at += 3) {
        writeFileSync(path, withByte(bytes, at, (bytes[at] as number) ^ 0x55));
        const told = BACKENDS.map((backend) => {
          setDefaultBackend(backend);
          return take();
        });
        expect(new Set(told).size, `byte ${at}: ${told.join(' | ')}`).toBe(1);
      }
    }
  });
});
