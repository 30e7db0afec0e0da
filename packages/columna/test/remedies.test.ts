// Every remedy that an error of this package prints, tried: what it says works, on the data that failed.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { followed } from '@colkit/testkit/remedies';
import type { Remedy } from '@colkit/testkit/remedies';
import { describe, expect, test } from 'vitest';
import {
  append,
  appender,
  create,
  open,
  openDataset,
  openSync,
  read,
  readSync,
  recover,
  scan,
  typed,
  verify,
  write,
  writeSync,
} from '../src/index.ts';
import { newFolders } from './support/new-folders.ts';
import { overwrite } from './remedies-files.ts';

const isNative = process.env['COLKIT_BACKEND'] === 'native';

const newFolder = newFolders('remedies');

const { folder } = newFolder();

let files = 0;

const newPath = (ending = 'cna'): string => join(folder, `${String((files += 1))}.${ending}`);

const COLUMNS = { n: Int32Array.of(10, 11, 12, 13), s: ['a', 'b', 'c', 'd'], maybe: [1, null, 3, 4] };

const stored = (options = {}): string => {
  const path = newPath();
  writeSync(path, COLUMNS, options);
  return path;
};

/** A file whose writer was ended in the middle of an append: rows behind the last footer. */
const torn = (): string => {
  const path = stored();
  writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from('rows without a footer')]));
  return path;
};

const remote = (path: string) => ({
  fetch: (_: unknown, init?: RequestInit) => {
    const whole = readFileSync(path);
    const [start = 0, end = whole.length - 1] = (
      /bytes=(\d+)-(\d+)?/.exec(new Headers(init?.headers).get('range') ?? '') ?? []
    )
      .slice(1)
      .map((each) => (each === undefined ? whole.length - 1 : Number(each)));
    const stop = Math.min(end, whole.length - 1);
    return Promise.resolve(
      new Response(whole.subarray(start, stop + 1), {
        status: 206,
        headers: { 'content-range': `bytes ${String(start)}-${String(stop)}/${String(whole.length)}`, etag: '"1"' },
      }),
    );
  },
});

const shards = (): string => {
  const path = join(folder, `shards-${String((files += 1))}`);
  mkdirSync(path);
  for (const name of ['a.cna', 'b.cna']) writeSync(join(path, name), COLUMNS);
  return path;
};

const REMEDIES: readonly Remedy[] = [
  {
    what: 'a folder of files',
    says: 'openDataset (columna)',
    fails: () => open(shards()),
    helps: async () => (await openDataset(shards())).rowCount,
    gives: 8,
  },
  {
    what: 'a path that exists',
    says: 'pass { overwrite: true } to replace it',
    fails: () => write(stored(), COLUMNS),
    helps: async () => (await write(stored(), COLUMNS, overwrite)).rowCount,
    gives: 4,
  },
  {
    what: 'a misspelt option',
    says: 'did you mean "columns"?',
    fails: () => read(stored(), { column: ['n'] } as never),
    helps: () => read(stored(), { columns: ['n'] }),
    gives: { n: COLUMNS.n },
  },
  {
    what: 'a misspelt column',
    says: 'did you mean "maybe"?',
    fails: () => read(stored(), { columns: ['mabye'] }),
    helps: () => read(stored(), { columns: ['maybe'] }),
    gives: { maybe: [1, null, 3, 4] },
  },
  {
    what: 'timedelta64',
    says: 'store its ticks as int64',
    fails: () => write(newPath(), { t: typed('timedelta64[ms]', [1n, 2n]) }),
    helps: () => {
      const path = newPath();
      writeSync(path, { t: BigInt64Array.of(1n, 2n) });
      return readSync(path)['t'];
    },
    gives: BigInt64Array.of(1n, 2n),
  },
  {
    what: 'a column of nulls alone',
    says: 'values that say their type, typed(dtype, values) or { schema }',
    fails: () => write(newPath(), { a: [null, null] }),
    helps: () => {
      const path = newPath();
      writeSync(path, { a: [null, null] }, { schema: { a: 'int32' } });
      return readSync(path)['a'];
    },
    gives: [null, null],
  },
  {
    what: 'a writer without columns',
    says: 'a schema, or rows that say what the columns are, before close() (or abort())',
    fails: async () => {
      const writer = await create(newPath());
      await writer.close().finally(() => writer.abort());
    },
    helps: async () => (await (await create(newPath(), { schema: { a: 'int32' } })).close()).rowCount,
    gives: 0,
  },
  {
    what: 'an encoding that does not apply',
    says: 'one that applies to the values (PLAIN)',
    fails: () => write(newPath(), { s: ['a', 'b'] }, { encodings: { s: 'AFFINE' } }),
    helps: async () => (await write(newPath(), { s: ['a', 'b'] }, { encodings: { s: 'PLAIN' } })).rowCount,
    gives: 2,
  },
  {
    what: 'a view of nulls',
    says: "use toArray(), with { nulls: 'bitmap' } for a typed array and its validity",
    fails: () => openSync(stored()).column('maybe').viewArray(),
    helps: () => openSync(stored()).column('maybe').toArraySync({ nulls: 'bitmap' }),
    gives: { values: Float64Array.of(1, 0, 3, 4), validity: Uint8Array.of(0b1101) },
  },
  {
    what: 'a view of texts',
    says: 'use toArray()',
    fails: () => openSync(stored()).column('s').viewArray(),
    helps: () => openSync(stored()).column('s').toArraySync(),
    gives: COLUMNS.s,
  },
  {
    what: 'views of picked rows',
    says: 'use toColumns() to copy them',
    fails: () => openSync(stored()).select('n').where('n > 11').viewColumns(),
    helps: () => openSync(stored()).select('n').where('n > 11').toColumnsSync(),
    gives: { n: Int32Array.of(12, 13) },
  },
  {
    what: 'more decoded bytes than the limit, raised',
    says: 'open it with { limits: { maxDecodedBytes } } to raise it',
    fails: () => read(stored(), { limits: { maxDecodedBytes: 8 } }),
    helps: async () => (await open(stored(), { limits: { maxDecodedBytes: 1e6 } })).column('n').toArraySync(),
    gives: COLUMNS.n,
  },
  {
    what: 'more decoded bytes than the limit, in fewer columns',
    says: 'or read by batches() or fewer columns',
    fails: () => read(stored(), { limits: { maxDecodedBytes: 60 } }),
    helps: () => read(stored(), { limits: { maxDecodedBytes: 60 }, columns: ['n'] }),
    gives: { n: COLUMNS.n },
  },
  {
    what: 'more decoded bytes than the limit, in batches',
    says: 'or read by batches() or fewer columns',
    fails: () => readSync(stored({ pageRows: 8 }), { limits: { maxDecodedBytes: 60 } }),
    helps: async () => {
      const path = newPath();
      writeSync(path, { n: Int32Array.from({ length: 64 }, (_, i) => i) }, { pageRows: 8 });
      const rows: number[] = [];
      for await (const batch of (await open(path, { limits: { maxDecodedBytes: 64 } })).batches({ rows: 8 }))
        rows.push(...(batch['n'] as Int32Array));
      return rows.length;
    },
    gives: 64,
  },
  {
    what: 'the row count of a predicate',
    says: 'use await count(), or countSync()',
    fails: () => openSync(stored()).where('n > 11').rowCount,
    helps: () => openSync(stored()).where('n > 11').countSync(),
    gives: 2,
  },
  {
    what: 'bytes that no footer covers',
    says: 'recover keeps 4 rows',
    fails: () => open(torn()),
    helps: async () => {
      const path = torn();
      await recover(path);
      return (await verify(path)).ok;
    },
    gives: true,
  },
  {
    what: 'the Sync form of a remote file',
    says: 'use the form without Sync',
    fails: async () => (await open('http://example.invalid/a.cna', remote(stored()))).toColumnsSync(),
    helps: async () => (await open('http://example.invalid/a.cna', remote(stored()))).column('n').toArray(),
    gives: COLUMNS.n,
  },
  {
    what: 'row numbers as a mask',
    says: 'take(…) is for row numbers',
    fails: () =>
      openSync(stored())
        .filter(Uint8Array.of(3, 2, 1, 0))
        .countSync(),
    helps: () =>
      openSync(stored())
        .take(Uint8Array.of(3, 2, 1, 0))
        .column('n')
        .toArraySync(),
    gives: Int32Array.of(13, 12, 11, 10),
  },
  {
    what: 'a mask as row numbers',
    says: 'filter() takes masks',
    fails: () => openSync(stored()).take([true, false, true, false] as never),
    helps: () => openSync(stored()).filter([true, false, true, false]).column('n').toArraySync(),
    gives: Int32Array.of(10, 12),
  },
  {
    what: 'operators of other languages',
    says: 'expected "and" but found "&&"',
    fails: () => scan(stored(), { where: 'n > 11 && n < 13' }),
    helps: () => scan(stored(), { where: 'n > 11 and n < 13' }).count(),
    gives: 1,
  },
  {
    what: 'a type by another name',
    says: 'did you mean "float64"?',
    fails: () => typed('double' as never, [1]),
    helps: () => typed('float64', [1]).dtype,
    gives: 'float64',
  },
  {
    what: 'integers beyond 2^53 as numbers',
    says: 'numbers below 2^53 (or bigints)',
    fails: () => write(newPath(), { n: typed('int64', [2 ** 53 + 2]) }),
    helps: async () => (await write(newPath(), { n: typed('int64', [2n ** 53n + 1n]) })).rowCount,
    gives: 1,
  },
  {
    what: 'a moment that is none',
    says: "not-a-time is 'NaT' in typed('datetime64[ms]', …)",
    fails: () => write(newPath(), { t: typed('datetime64[ms]', [new Date(NaN)]) }),
    helps: async () => (await write(newPath(), { t: typed('datetime64[ms]', ['NaT']) })).rowCount,
    gives: 1,
  },
];

test.each(REMEDIES)('$what', async (remedy) => {
  expect(await followed(remedy)).toEqual(remedy.gives);
});

describe('views', () => {
  const encoded = { n: Int32Array.from({ length: 4096 }, (_, i) => i % 3) };
  test.runIf(isNative)('of an encoded page: the plain file has the values without a copy', async () => {
    const path = newPath();
    writeSync(path, encoded);
    expect(
      await followed({
        says: "copy it with toArray(), or write the file with { mode: 'plain' }",
        fails: () => openSync(path).column('n').viewArray(),
        helps: () => {
          writeSync(path, encoded, { mode: 'plain', overwrite: true });
          return openSync(path).column('n').viewArray();
        },
      }),
    ).toEqual(encoded.n);
    expect(openSync(path).column('n').toArraySync()).toEqual(encoded.n);
  });

  test.runIf(isNative)('of rows in several pages, and of a file that is read by position', async () => {
    const path = newPath();
    writeSync(path, encoded, { mode: 'plain', pageRows: 1024 });
    expect(
      await followed({
        says: 'copy them with toArray()',
        fails: () => openSync(path).column('n').viewArray(),
        helps: () => openSync(path).column('n').toArraySync(),
      }),
    ).toEqual(encoded.n);
    writeSync(path, encoded, { mode: 'plain', overwrite: true });
    expect(
      await followed({
        says: "use a method that copies, or open it with { io: 'mmap' } where the addon is available",
        fails: () => openSync(path, { io: 'pread' }).column('n').viewArray(),
        helps: () => openSync(path, { io: 'mmap' }).column('n').viewArray(),
      }),
    ).toEqual(encoded.n);
  });

  test('of memory of the caller', async () => {
    const path = newPath();
    writeSync(path, encoded, { mode: 'plain' });
    const table = openSync(new Uint8Array(readFileSync(path)));
    expect(
      await followed({
        says: 'use the bytes that you opened, or a method that copies',
        fails: () => table.column('n').viewArray(),
        helps: () => table.column('n').toArraySync(),
      }),
    ).toEqual(encoded.n);
  });
});

describe('what a dead or a living writer leaves', () => {
  test('a living one: where it is none, recover goes on', async () => {
    const path = stored();
    const writer = await appender(path);
    expect(
      await followed({
        says: 'where that is not so, recover(path, { force: true }) goes on, or remove ',
        fails: () => append(path, COLUMNS),
        helps: async () => {
          await recover(path, { force: true });
          await writer.abort();
          await append(path, COLUMNS);
          return openSync(path).rowCount;
        },
      }),
    ).toBe(8);
  });

  /** A name at which a writer died behind its first checkpoint. */
  const left = async (): Promise<string> => {
    const path = newPath();
    const writer = await create(path);
    await writer.write(COLUMNS);
    await writer.checkpoint();
    const checkpointed = readFileSync(`${path}.partial`);
    await writer.abort();
    writeFileSync(`${path}.partial`, checkpointed);
    return path;
  };
  const says =
    'a writer that died left this file: recover(path) makes a whole file of it, { overwrite: true } throws it away';
  const end = async (path: string, options = {}): Promise<number> =>
    (await (await create(path, { schema: { a: 'int32' }, ...options })).close()).rowCount;

  test('a dead one: recover makes a whole file of what it left', async () => {
    const path = await left();
    expect(await followed({ says, fails: () => end(path), helps: async () => (await recover(path)).rowCount })).toBe(4);
    expect(openSync(path).rowCount).toBe(4);
  });

  test('a dead one: what it left is thrown away', async () => {
    const path = await left();
    expect(await followed({ says, fails: () => end(path), helps: () => end(path, overwrite) })).toBe(0);
  });

  test('a dead one beside a file that is there', async () => {
    const path = await left();
    writeSync(path, { n: Int32Array.of(1) });
    expect(
      await followed({
        says: 'pass { overwrite: true } to replace it by the 4 rows of ',
        fails: () => recover(path),
        helps: async () => (await recover(path, overwrite)).rowCount,
      }),
    ).toBe(4);
  });
});
