// Remedies of errors about other formats are tried: what the message says is done, and works.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { followed } from '@colkit/testkit/remedies';
import type { Remedy } from '@colkit/testkit/remedies';
import { Table as ArrowTable, Field, Int32, List, vectorFromArray } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { openSync, readSync, typed, write, writeCsv, writeSync } from '../src/index.ts';
import { newFolders } from './support/new-folders.ts';
import { bytes, has, overwrite } from './remedies-files.ts';

const newFolder = newFolders('remedies');

const { folder } = newFolder();

let files = 0;

const newPath = (ending = 'cna'): string => join(folder, `${String((files += 1))}.${ending}`);

describe('CSV in', () => {
  const read = async (source: Uint8Array | string, options = {}): Promise<unknown> => {
    const path = newPath();
    await writeCsv(source, path, options);
    return Object.fromEntries(Object.entries(readSync(path)));
  };
  test.each<Remedy>([
    {
      what: 'rows that do not fit',
      says: "{ onError: 'skip' } leaves such rows out",
      fails: () => read(bytes('a,b\n1,2\n3\n')),
      helps: () => read(bytes('a,b\n1,2\n3\n'), { onError: 'skip' }),
      gives: { a: BigInt64Array.of(1n), b: BigInt64Array.of(2n) },
    },
    {
      what: 'names in no UTF-8',
      says: '{ names } gives others',
      fails: () => read(Uint8Array.of(0xe9, 10, 49, 10)),
      helps: () => read(Uint8Array.of(0xe9, 10, 49, 10), { names: ['e'] }),
      gives: { e: BigInt64Array.of(1n) },
    },
  ])('$what', async (remedy) => {
    expect(await followed(remedy)).toEqual(remedy.gives);
  });

  /** What the words in parentheses name, run over the file. */
  test.each([
    [
      'UTF-16',
      'utf16',
      'convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)',
      () => Buffer.from('\ufeffa,b\n1,2\n', 'utf16le'),
      ['iconv', '-f', 'UTF-16', '-t', 'UTF-8'],
      ['tool'],
    ],
    [
      'bzip2',
      'bz2',
      'decompress it first (bzip2 -dc), or write gzip',
      () => pack('bzip2', '-c'),
      ['bzip2', '-dc'],
      ['tool', 'gzip'],
    ],
    [
      'xz',
      'xz',
      'decompress it first (xz -dc), or write gzip',
      () => pack('xz', '-c'),
      ['xz', '-dc'],
      ['tool', 'gzip'],
    ],
  ] as const)('%s', async (_, ending, says, make, [command, ...words], ways) => {
    const packed = make();
    // Where the machine does not have the program, its words cannot be followed.
    if (packed === null || !has(command)) return;
    const path = newPath(ending);
    writeFileSync(path, packed);
    const plain = (): Buffer => execFileSync(command, words, { input: packed });
    expect(await followed({ says, fails: () => read(path), helps: () => read(plain()) })).toEqual({
      a: BigInt64Array.of(1n),
      b: BigInt64Array.of(2n),
    });
    if ((ways as readonly string[]).includes('gzip'))
      expect(await read(gzipSync(plain()))).toEqual({ a: BigInt64Array.of(1n), b: BigInt64Array.of(2n) });
  });
});

const pack = (command: string, ...words: string[]): Buffer | null =>
  has(command) ? execFileSync(command, words, { input: 'a,b\n1,2\n' }) : null;

describe('other formats in and out', () => {
  test('an Arrow column without a type here', async () => {
    const list = vectorFromArray([[1], [2]], new List(new Field('item', new Int32(), true)));
    const table = new ArrowTable({ n: vectorFromArray([1, 2], new Int32()), list });
    const path = newPath();
    expect(
      await followed({
        says: 'select() the others, or cast it',
        fails: () => write(path, table as never),
        helps: async () => (await write(path, table.select(['n']) as never)).rowCount,
      }),
    ).toBe(2);
    const cast = new ArrowTable({
      n: table.getChild('n'),
      list: vectorFromArray(Array.from(table.getChild('list') ?? [], String)),
    } as never);
    expect((await write(path, cast as never, overwrite)).rowCount).toBe(2);
  });

  test('binary values in packed records', async () => {
    const path = newPath();
    writeSync(path, { n: Int32Array.of(1), b: typed('binary', [Uint8Array.of(1)]) });
    expect(
      await followed({
        says: 'drop() it, or use toColumns() or toRows()',
        fails: () => openSync(path).toRecordsSync(),
        helps: () => openSync(path).drop('b').toRecordsSync().rowCount,
      }),
    ).toBe(1);
    expect(openSync(path).toRowsSync()).toEqual([{ n: 1, b: Uint8Array.of(1) }]);
  });
});
