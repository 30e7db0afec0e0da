// Arrow files that are valid and not read (golden/make.py) are told apart from damaged ones, with what to do; CSV that
// is compressed in other ways, too.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { followed } from '@colkit/testkit/remedies';
import { afterAll, describe, expect, it } from 'vitest';
import { openSync } from 'columna';
import { readArrow } from '../src/tables/arrow-file.ts';
import { linesOf } from './support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'colkit-arrow-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const golden = (name: string): string => fileURLToPath(new URL(`./tables/golden/${name}`, import.meta.url));

describe('unsupported is not damaged', () => {
  it.each([
    [
      'lz4.feather',
      'ERR_FEATURE',
      'LZ4',
      /batches are compressed with LZ4, which is not read; write it without compression/,
    ],
    ['zstd.feather', 'ERR_FEATURE', 'ZSTD', /with ZSTD.*compression='uncompressed'/],
    ['lz4-stream.arrow', 'ERR_FEATURE', 'LZ4', /LZ4/],
    ['zstd-stream.arrow', 'ERR_FEATURE', 'ZSTD', /ZSTD/],
    ['v1.feather', 'ERR_FEATURE', 'Feather V1', /write it as V2/],
    ['run-ends.arrow', 'ERR_DTYPE', 'RunEndEncoded', /the Arrow type RunEndEncoded/],
  ])('%s', async (name, code, feature, message) => {
    await expect(readArrow(golden(name))).rejects.toMatchObject({
      name: 'UnsupportedError',
      code,
      feature,
      message: expect.stringMatching(message) as string,
    });
  });

  it.each([
    ['nonsense that is no Arrow file at all', 'ERR_METADATA'],
    ['', 'ERR_TRUNCATED'],
  ])('%j is damaged', async (text, code) => {
    const path = join(folder, 'broken.arrow');
    writeFileSync(path, text);
    await expect(readArrow(path)).rejects.toMatchObject({ name: 'CorruptFileError', code });
  });

  it('the command says the same, of CSV that is compressed in a way that is not read as well', async () => {
    const bzip2 = join(folder, 'orders.csv.bz2');
    writeFileSync(bzip2, Uint8Array.of(0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, 0, 0));
    const found = [
      await linesOf('convert', golden('lz4.feather'), join(folder, 'to.cna')),
      await linesOf('convert', bzip2, join(folder, 'to.cna')),
    ];
    expect(found.map(({ code }) => code)).toEqual([1, 1]);
    expect(found.flatMap(({ notes }) => notes)).toEqual([
      expect.stringMatching(/LZ4.*\(ERR_FEATURE\)$/),
      expect.stringMatching(/orders\.csv\.bz2: this is bzip2.*bzip2 -dc.*\(ERR_FEATURE\)$/),
    ]);
  });

  // The files that are read were made by the very calls that the message names.
  const [TABLE, WHOLE] = ["feather.write_feather(…, compression='uncompressed')", 'IpcWriteOptions(compression=None)'];
  const rows = [
    { n: 1, s: 'x' },
    { n: 2, s: null },
  ];
  it.each([
    ['lz4.feather', TABLE, 'as-told-1.feather', rows],
    ['zstd.feather', TABLE, 'as-told-1.feather', rows],
    ['lz4-stream.arrow', WHOLE, 'as-told-2.arrow', rows],
    ['zstd-stream.arrow', WHOLE, 'as-told-2.arrow', rows],
    [
      'v1.feather',
      "write it as V2 (pyarrow: feather.write_feather(…, version=2, compression='uncompressed'))",
      'as-told-3.feather',
      rows,
    ],
    ['run-ends.arrow', 'write the file without it', 'as-told-4.arrow', [{ n: 1 }, { n: 2 }]],
  ])('%s: what it says to write is read', async (name, says, told, expected) => {
    const read = async (): Promise<unknown[]> =>
      (await readArrow(golden(told))).toArray().map((row: { toJSON: () => unknown }) => row.toJSON());
    expect(await followed({ says, fails: () => readArrow(golden(name)), helps: read })).toEqual(expected);
    const to = join(folder, `${name}.cna`);
    expect(await linesOf('convert', golden(told), to)).toMatchObject({ code: 0 });
    expect(openSync(to).toRowsSync()).toEqual(expected);
  });
});
