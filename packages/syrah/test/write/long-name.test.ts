// A name as long as names of files may be leaves no room for one with an ending beside it: who needs none does without.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, open, recover } from 'syrah';
import { expect, test } from 'vitest';

test('a file whose name has 255 bytes is written, replaced and recovered', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'syrah-names-'));
  try {
    const path = join(folder, `${'n'.repeat(251)}.syr`);
    for (const overwrite of [false, true]) {
      const writer = await create(path, { overwrite });
      await writer.addItem({ x: Float32Array.of(1) });
      await writer.close();
    }
    expect((await recover(path)).status).toBe('whole');
    expect((await open(path)).itemCount).toBe(1);
    expect(readdirSync(folder).length).toBe(1);
    await expect(create(path, { overwrite: true, journal: true })).rejects.toMatchObject({ code: 'ERR_WRITE' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
