// Arrow files of pyarrow (golden/make.py): compressed batches are read; what is valid and not read is told apart from
// damaged files, with what to do; CSV that is compressed in other ways, too.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as zlib from 'node:zlib';
import { missingPeer, openSource } from '@colkit/io';
import { followed } from '@colkit/testkit/remedies';
import { CompressionType, RecordBatchReader, compressionRegistry, tableFromArrays, tableToIPC } from 'apache-arrow';
import type { Table } from 'apache-arrow';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { peers } from '../src/formats/peers.ts';
import { openSync } from 'columna';
import { arrowBatches } from '../src/tables/arrow-file.ts';
import { decodeLz4Frame } from '../src/tables/lz4-frame.ts';
import { linesOf } from './support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'colkit-arrow-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const golden = (name: string): string => fileURLToPath(new URL(`./tables/golden/${name}`, import.meta.url));

/** The rows of a file, batch by batch. */
async function readArrow(path: string): Promise<unknown[]> {
  const source = await openSource(path);
  const found: unknown[] = [];
  for await (const batch of arrowBatches(source))
    found.push(...(batch as Table).toArray().map((row: { toJSON: () => unknown }) => row.toJSON()));
  return found;
}

const rowsOf = (name: string): Promise<unknown[]> => readArrow(golden(name));
const rows = [
  { n: 1, s: 'x' },
  { n: 2, s: null },
];

describe('compressed batches', () => {
  it.each(['lz4.feather', 'zstd.feather', 'lz4-stream.arrow', 'zstd-stream.arrow'])('%s', async (name) => {
    expect(await rowsOf(name)).toEqual(rows);
    const to = join(folder, `${name}.cna`);
    expect(await linesOf('convert', golden(name), to)).toMatchObject({ code: 0 });
    expect(openSync(to).toRowsSync()).toEqual(rows);
  });

  it.each(['lz4-blocks.feather', 'zstd-blocks.feather'])('%s', async (name) => {
    const to = join(folder, `${name}.cna`);
    expect(await linesOf('convert', golden(name), to)).toMatchObject({ code: 0 });
    using table = openSync(to);
    expect([...table.column('n').toArraySync()]).toEqual(
      Array.from({ length: 70_000 }, (_, row) => BigInt(Math.floor(row / 1000))),
    );
  });

  it('damaged ones are damaged', async () => {
    const bytes = Buffer.from(readFileSync(golden('lz4-blocks.feather')));
    // The frame of the first buffer.
    bytes[bytes.indexOf(Buffer.of(0x04, 0x22, 0x4d, 0x18))] = 0x05;
    const path = join(folder, 'damaged.feather');
    writeFileSync(path, bytes);
    await expect(readArrow(path)).rejects.toMatchObject({ name: 'CorruptFileError', code: 'ERR_METADATA' });
  });

  it.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 100), /no ARROW1 at its end/],
    ['of a few bytes', () => Buffer.from('ARROW1\0\0'), /found 8 bytes/],
    [
      'with the length of another footer',
      (bytes: Buffer) => {
        bytes.writeInt32LE(0x78787878, bytes.length - 10);
        return bytes;
      },
      /a footer of 2021161080 bytes/,
    ],
  ])('%s it is damaged', async (_how, change, message) => {
    const path = join(folder, 'cut.feather');
    writeFileSync(path, change(Buffer.from(readFileSync(golden('lz4-blocks.feather')))));
    await expect(readArrow(path)).rejects.toMatchObject({
      code: 'ERR_METADATA',
      message: expect.stringMatching(message) as string,
    });
  });

  it('damaged where a message of another kind is in the place of a batch', async () => {
    const bytes = Buffer.from(readFileSync(golden('as-told-1.feather')));
    const reader = RecordBatchReader.from(bytes).open();
    const { offset = 0 } = reader.footer?.getRecordBatch(0) ?? {};
    const stored = Buffer.alloc(8);
    stored.writeBigInt64LE(BigInt(offset));
    // Its schema is there.
    bytes.writeBigInt64LE(8n, bytes.lastIndexOf(stored));
    const path = join(folder, 'no-batch.feather');
    writeFileSync(path, bytes);
    await expect(readArrow(path)).rejects.toMatchObject({ name: 'CorruptFileError', code: 'ERR_METADATA' });
  });

  it('of Polars, whose blocks have checksums', async () => {
    expect(await rowsOf('polars-lz4.feather')).toEqual(
      Array.from({ length: 300 }, (_, row) => ({
        n: BigInt(row % 7),
        s: row % 3 === 0 ? null : `row ${String(row % 5)}`,
      })),
    );
  });

  it.skipIf('zstdDecompressSync' in zlib)('zstd without its package: which one, and what else to do', async () => {
    const known = compressionRegistry.get(CompressionType.ZSTD);
    compressionRegistry.set(CompressionType.ZSTD, {});
    const missing = vi.spyOn(peers, 'compressors').mockRejectedValue(missingPeer('hyparquet-compressors', 'no'));
    try {
      await expect(readArrow(golden('zstd.feather'))).rejects.toMatchObject({
        code: 'ERR_FEATURE',
        feature: 'ZSTD',
        message: expect.stringMatching(
          /compressed with ZSTD; .*npm install hyparquet-compressors .*, or write it without compression/,
        ) as string,
      });
    } finally {
      missing.mockRestore();
      if (known !== null) compressionRegistry.set(CompressionType.ZSTD, known);
    }
  });

  it('codecs that the user registered stay', async () => {
    const known = compressionRegistry.get(CompressionType.LZ4_FRAME);
    let calls = 0;
    compressionRegistry.set(CompressionType.LZ4_FRAME, {
      decode: (data) => {
        calls += 1;
        return decodeLz4Frame(data);
      },
    });
    try {
      expect(await rowsOf('lz4.feather')).toEqual(rows);
      expect(calls).toBeGreaterThan(0);
    } finally {
      if (known !== null) compressionRegistry.set(CompressionType.LZ4_FRAME, known);
    }
  });
});

describe('unsupported is not damaged', () => {
  it.each([
    ['v1.feather', 'ERR_FEATURE', 'Feather V1', /write it as V2/],
    ['run-ends.arrow', 'ERR_DTYPE', 'RunEndEncoded', /the Arrow type RunEndEncoded/],
    ['polars-int128.arrow', 'ERR_DTYPE', 'Int128', /the Arrow type Int128/],
    ['big-endian.arrow', 'ERR_FEATURE', 'big-endian', /its numbers are big-endian/],
    ['big-endian-stream.arrow', 'ERR_FEATURE', 'big-endian', /its numbers are big-endian/],
  ])('%s', async (name, code, feature, message) => {
    await expect(readArrow(golden(name))).rejects.toMatchObject({
      name: 'UnsupportedError',
      code,
      feature,
      message: expect.stringMatching(message) as string,
    });
  });

  it("files without a schema in front, as apache-arrow's writer makes them", async () => {
    const path = join(folder, 'no-schema.arrow');
    writeFileSync(path, tableToIPC(tableFromArrays({ n: Float64Array.of(7) }), 'file'));
    expect(await readArrow(path)).toEqual([{ n: 7 }]);
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
      await linesOf('convert', golden('v1.feather'), join(folder, 'to.cna')),
      await linesOf('convert', bzip2, join(folder, 'to.cna')),
    ];
    expect(found.map(({ code }) => code)).toEqual([1, 1]);
    expect(found.flatMap(({ notes }) => notes)).toEqual([
      expect.stringMatching(/Feather V1.*\(ERR_FEATURE\)$/),
      expect.stringMatching(/orders\.csv\.bz2: this is bzip2.*bzip2 -dc.*\(ERR_FEATURE\)$/),
    ]);
  });

  // The files that are read were made by the very calls that the message names.
  it.each([
    [
      'v1.feather',
      "write it as V2 (pyarrow: feather.write_feather(…, version=2, compression='uncompressed'))",
      'as-told-3.feather',
      rows,
    ],
    ['run-ends.arrow', 'write the file without it', 'as-told-4.arrow', [{ n: 1 }, { n: 2 }]],
  ])('%s: what it says to write is read', async (name, says, told, expected) => {
    expect(await followed({ says, fails: () => readArrow(golden(name)), helps: () => rowsOf(told) })).toEqual(expected);
    const to = join(folder, `${name}.cna`);
    expect(await linesOf('convert', golden(told), to)).toMatchObject({ code: 0 });
    expect(openSync(to).toRowsSync()).toEqual(expected);
  });
});
