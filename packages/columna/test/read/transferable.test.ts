// Codes of texts may go to another thread where that is asked for: then they lie in an ordinary buffer of their own,
// not in the pool's.
import { describe, expect, it } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSync, write } from '../../src/index.ts';

describe('codes', () => {
  it.each([300, 300_000])('of %i rows can be transferred, and hold what they held', async (rowCount) => {
    const folder = mkdtempSync(join(tmpdir(), 'columna-transfer-'));
    try {
      const path = join(folder, 'texts.cna');
      const texts = Array.from({ length: rowCount }, (_, row) => (row % 7 === 3 ? null : ['b', 'a', 'c'][row % 3]!));
      await write(path, { text: texts });
      const table = openSync(path);
      const { text } = table.toColumnsSync({ strings: 'dictionary', transferable: true }) as unknown as {
        text: { codes: Int32Array; dictionary: readonly string[] };
      };
      table.close();
      const codes = structuredClone(text.codes, { transfer: [text.codes.buffer as ArrayBuffer] });
      expect(text.codes.length).toBe(0);
      expect(codes.length).toBe(rowCount);
      expect(codes.every((code, row) => (code === -1 ? null : text.dictionary[code]) === texts[row])).toBe(true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
