// Every remedy that an error of this package prints, tried: what it says works, where it failed. What needs a format is
// tried by the formats.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { copyAs, missingPeer, openFileSink, openSourceSync, parseDType, viewAs } from '../../src/index.ts';
import type { RandomAccessSource } from '../../src/index.ts';

interface Remedy {
  readonly what: string;
  readonly fails: () => unknown;
  /** The words that are followed. */
  readonly says: string;
  readonly helps: () => unknown;
  readonly gives: unknown;
}

/**
 * What comes of following the words. The package of shared test code builds on this one, and has no place in its tests.
 */
async function followed({ fails, says, helps }: Pick<Remedy, 'fails' | 'says' | 'helps'>): Promise<unknown> {
  await expect((async () => fails())()).rejects.toMatchObject({
    code: expect.stringMatching(/^ERR_/) as string,
    message: expect.stringContaining(says) as string,
  });
  return helps();
}

const isNative = process.env['COLKIT_BACKEND'] === 'native';
const folder = mkdtempSync(join(tmpdir(), 'io-remedies-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'a.bin');
const CONTENT = Uint8Array.of(1, 0, 2, 0, 3, 0, 4, 0);
writeFileSync(path, CONTENT);

async function contentOf(source: RandomAccessSource): Promise<Uint8Array> {
  const out = new Uint8Array(source.byteLength);
  await source.read(0, out);
  source.close();
  return out;
}

async function written(options: object): Promise<number> {
  const sink = await openFileSink(path, options);
  await sink.write(CONTENT);
  await sink.finish();
  return CONTENT.length;
}

const REMEDIES: readonly Remedy[] = [
  {
    what: 'a file that is there',
    says: 'pass { overwrite: true } to replace it',
    fails: () => written({}),
    helps: () => written({ overwrite: true }),
    gives: 8,
  },
  {
    what: 'a misspelt option',
    says: 'did you mean "overwrite"?',
    fails: () => written({ overwite: true }),
    helps: () => written({ overwrite: true }),
    gives: 8,
  },
  {
    what: 'a view of memory of the caller',
    says: 'use the bytes that you opened, or a method that copies',
    fails: () => openSourceSync(CONTENT).view(0, 4),
    helps: () => contentOf(openSourceSync(CONTENT)),
    gives: CONTENT,
  },
  {
    what: 'a view of a file that is read by position',
    says: 'use a method that copies, or open it with { io:',
    fails: () => openSourceSync(path, { io: 'pread' }).view(0, 4),
    helps: () => contentOf(openSourceSync(path, { io: 'pread' })),
    gives: CONTENT,
  },
  {
    what: 'a typed array over odd bytes',
    says: 'copy them (copyAs, toArray)',
    fails: () => viewAs(Int16Array, CONTENT.subarray(1, 5)),
    helps: () => copyAs(Int16Array, CONTENT.subarray(1, 5)),
    gives: Int16Array.of(512, 768),
  },
  {
    what: 'a type by another name',
    says: 'did you mean "float64"?',
    fails: () => parseDType('double'),
    helps: () => parseDType('float64').itemBytes,
    gives: 8,
  },
];

test.each(REMEDIES)('$what', async (remedy) => {
  expect(await followed(remedy)).toEqual(remedy.gives);
});

describe('with the addon', () => {
  test.runIf(isNative)('the mapped source has the view', async () => {
    expect(
      await followed({
        says: "open it with { io: 'mmap' } where the addon is available",
        fails: () => openSourceSync(path, { io: 'pread' }).view(0, 4),
        helps: () => openSourceSync(path, { io: 'mmap' }).view(0, 4).length,
      }),
    ).toBe(4);
  });
});

test('an optional peer works once it is installed', async () => {
  writeFileSync(join(folder, 'user.mjs'), "export const load = () => import('some-peer');\n");
  const user = (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'user.mjs')).href)) as {
    load: () => Promise<{ answer: number }>;
  };
  const load = () =>
    user.load().catch((error: unknown) => {
      throw missingPeer('some-peer', error);
    });
  expect(
    await followed({
      says: 'npm install some-peer',
      fails: load,
      helps: async () => {
        // What npm does, as far as it is of concern here.
        const at = join(folder, 'node_modules', 'some-peer');
        mkdirSync(at, { recursive: true });
        writeFileSync(join(at, 'package.json'), '{ "name": "some-peer", "type": "module", "exports": "./index.js" }');
        writeFileSync(join(at, 'index.js'), 'export const answer = 42;\n');
        return (await load()).answer;
      },
    }),
  ).toBe(42);
});

test('one call after the other', async () => {
  const sink = await openFileSink(join(folder, 'b.bin'));
  const first = sink.write(CONTENT);
  expect(
    await followed({
      says: 'no asynchronous call under way at a Sync one',
      fails: () => sink.writeSync(CONTENT),
      helps: async () => {
        await first;
        sink.writeSync(CONTENT);
        await sink.finish();
        return sink.position;
      },
    }),
  ).toBe(16);
});
