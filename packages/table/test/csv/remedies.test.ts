// What the reader of CSV says of files that it does not read, tried with the very tools that it names.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { followed } from '@colkit/testkit/remedies';
import { afterAll, describe, expect, test } from 'vitest';
import { readCsv } from '../../src/csv/index.ts';
import { toInputColumns } from '../../src/index.ts';
import { readAll } from '../support/inputs.ts';

const folder = mkdtempSync(join(tmpdir(), 'csv-remedies-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const TEXT = 'a,b\n1,x\n2,y\n';
const plain = join(folder, 'plain.csv');
writeFileSync(plain, TEXT);
const accented = join(folder, 'accented.csv');
writeFileSync(accented, 'a,b,ort\n1,x,Köln\n2,y,Zürich\n');
const accentedName = join(folder, 'accented-name.csv');
writeFileSync(accentedName, 'a,b,größe\n1,x,3\n2,y,4\n');
const TO_LATIN = ['iconv', '-f', 'UTF-8', '-t', 'WINDOWS-1252'];

interface Tool {
  readonly kind: string;
  /** Makes the file that is not read; its last argument is what is packed. */
  readonly pack: readonly string[];
  /** As the message has it, in front of the file. */
  readonly says: string;
}

const TOOLS: readonly Tool[] = [
  { kind: 'bzip2', pack: ['bzip2', '-c', plain], says: 'bzip2 -dc' },
  { kind: 'xz', pack: ['xz', '-c', plain], says: 'xz -dc' },
  { kind: 'lz4', pack: ['lz4', '-c', plain], says: 'lz4 -dc' },
  { kind: 'zip', pack: ['zip', '-jq', '-', plain], says: 'unzip -p' },
  { kind: 'UTF-16', pack: ['iconv', '-f', 'UTF-8', '-t', 'UTF-16', plain], says: 'iconv -f UTF-16 -t UTF-8' },
  { kind: 'Latin-1', pack: [...TO_LATIN, accented], says: 'iconv -f WINDOWS-1252 -t UTF-8' },
  { kind: 'Latin-1 in names', pack: [...TO_LATIN, accentedName], says: 'iconv -f WINDOWS-1252 -t UTF-8' },
];

const rowsOf = async (what: string | Uint8Array): Promise<unknown> => readAll(toInputColumns(await readCsv(what)));

function output([command = '', ...parameters]: readonly string[]): Uint8Array | null {
  const { status, stdout } = spawnSync(command, parameters);
  return status === 0 ? Uint8Array.from(stdout) : null;
}

const ROWS = expect.objectContaining({ a: [1n, 2n], b: ['x', 'y'] }) as unknown;

describe.each(TOOLS)('$kind', ({ kind, pack, says }) => {
  const packed = output(pack);

  test.skipIf(packed === null)(`is refused, and what \`${says}\` prints of it is read`, async () => {
    const path = join(folder, `${kind}.csv`);
    writeFileSync(path, packed ?? '');
    for (const what of [path, packed ?? ''])
      expect(
        await followed({
          says,
          fails: () => rowsOf(what),
          helps: () => rowsOf(output([...says.split(' '), path]) ?? 'the tool failed'),
        }),
      ).toEqual(ROWS);
  });
});

test('"or write gzip": it is read as it is', async () => {
  expect(await rowsOf(gzipSync(TEXT))).toEqual(ROWS);
});

const zstd = output(['zstd', '-qc', plain]);
test.skipIf(zstd === null)('zstd is read where the runtime can, and else once it is decompressed', async () => {
  const path = join(folder, 'packed.csv.zst');
  writeFileSync(path, zstd ?? '');
  if ('createZstdDecompress' in (await import('node:zlib'))) expect(await rowsOf(path)).toEqual(ROWS);
  else
    expect(
      await followed({
        says: 'decompress the file first',
        fails: () => rowsOf(path),
        helps: () => rowsOf(output(['zstd', '-dqc', path]) ?? 'the tool failed'),
      }),
    ).toEqual(ROWS);
});
