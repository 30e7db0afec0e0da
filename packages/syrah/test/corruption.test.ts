// Every golden file of every form, cut at every third length and changed at every third byte (all in a long run): a
// typed error, or arrays that lie within the array bytes. The format has no checksums, so that a changed array byte is
// a changed value; nothing else may happen, and nothing outside of the array bytes is ever read as an array.
import { MemorySource, isColkitError } from '@colkit/io';
import { CountingSource, byteFlips, damageStep, outcomeOf, truncations } from '@colkit/testkit';
import type { Damage } from '@colkit/testkit';
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { open, openSync } from '../src/index.ts';
import type { SyrahFile } from '../src/index.ts';
import { CURRENT, RELEASES, loadGolden } from './golden.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
const SMALL_BYTES = 1000;
/** What the addon reads are the arrays alone. */
const STEP = damageStep(false);

/** Reads everything there is. @returns a text of the bytes of all values. */
function readAll(file: SyrahFile): string {
  const texts: string[] = [file.schema.map(({ name, dtype }) => `${name}:${String(dtype)}`).join()];
  for (let item = 0; item < file.itemCount; item += 1) {
    for (const [key, value] of file.getEntriesSync(item))
      texts.push(`${key}=${typeof value === 'string' ? value : textOf(value as Uint8Array)}`);
  }
  for (const key of file.keys) texts.push(file.lengths(key).join());
  return texts.join('\n');
}

function textOf({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('latin1');
}

function readCounted(bytes: Uint8Array): string {
  const source = new CountingSource(new MemorySource(bytes));
  const file = openSync(source);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const dataEnd = Number(view.getBigInt64(bytes[0] === 0x47 && bytes[1] === 0x53 ? 6 : 4, true));
  source.reset();
  const all = readAll(file);
  for (const { byteOffset, byteLength } of source.reads) {
    if (byteOffset < 22 || byteOffset + byteLength > dataEnd)
      throw new Error(
        `read ${String(byteLength)} bytes at ${String(byteOffset)}, array bytes end at ${String(dataEnd)}`,
      );
  }
  return all;
}

describe.each(RELEASES)('%s', (release) => {
  test.each(loadGolden(release).map((golden) => [golden.label, golden.file] as const))('%s', async (_, whole) => {
    const damages: Damage[] = [
      ...truncations(whole, whole.length > SMALL_BYTES ? 7 : 1),
      ...byteFlips(whole, whole.length > SMALL_BYTES ? [0xff] : [0xff, 0x01, 0x80]),
    ].filter((_, index) => index % STEP === 0);
    const codes = new Map<string, number>();
    for (const damage of damages) {
      const outcome = await outcomeOf(damage, readCounted, isColkitError);
      const code = outcome.kind === 'value' ? 'value' : outcome.error.code;
      codes.set(code, (codes.get(code) ?? 0) + 1);
      if (damage.label.startsWith('cut')) expect(outcome.kind, damage.label).toBe('error');
    }
    expect(codes.get('ERR_METADATA') ?? 0).toBeGreaterThan(10);
    expect(codes.get('value') ?? 0).toBeGreaterThan(0);
    expect(
      [...codes.keys()].filter(
        (code) =>
          ![
            'value',
            'ERR_MAGIC',
            'ERR_TRUNCATED',
            'ERR_METADATA',
            'ERR_VERSION',
            'ERR_DTYPE',
            'ERR_LIMIT',
            'ERR_LAYOUT',
          ].includes(code),
      ),
    ).toEqual([]);
  });
});

test('the same on disk, mapped where the addon is', async () => {
  const golden = loadGolden(CURRENT).find(({ label }) => label.endsWith('strings'))!;
  const path = folder.path('damaged.syr');
  for (const damage of [...truncations(golden.file, 5), ...byteFlips(golden.file, [0xff])]) {
    writeFileSync(path, damage.bytes);
    const expected = await outcomeOf(damage, readCounted, isColkitError);
    const found = await outcomeOf(
      damage,
      async () => {
        using file = await open(path);
        return readAll(file);
      },
      isColkitError,
    );
    expect(found.kind === 'value' ? found.value : found.error.code, damage.label).toBe(
      expected.kind === 'value' ? expected.value : expected.error.code,
    );
  }
});
