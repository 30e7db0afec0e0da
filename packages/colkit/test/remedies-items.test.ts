// What the command tells somebody to type about items, typed: errors speak the language of the command line.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createSync, openSync } from 'syrah';
import { expect, test } from 'vitest';
import { temporaryFolder } from './support/folder.ts';
import { runHere } from './support/run.ts';

const folder = temporaryFolder();
let files = 0;
const newPath = (ending = 'syr'): string => folder.path(`${(files += 1)}.${ending}`);

function stored(): string {
  const path = newPath();
  const writer = createSync(path);
  writer.addItemSync({ label: Int32Array.of(0), data: Float32Array.of(1, 2), text: 'a' });
  writer.addItemSync({ label: Int32Array.of(1), data: Float32Array.of(3), text: 'b' });
  writer.closeSync();
  return path;
}

/** What is typed first, what is answered in the language of the command line, what is typed then. */
async function retried(first: readonly string[], says: string, then: readonly string[]): Promise<void> {
  const failed = await runHere(false, ...first);
  expect(failed.err).toContain(says);
  expect(failed.err).not.toMatch(/\{ [a-z]+( |:)/i);
  expect(failed.code).not.toBe(0);
  const { code, err } = await runHere(false, ...then);
  expect(code, err).toBe(0);
}

test('files and folders that are there', async () => {
  const [from, to] = [stored(), stored()];
  await retried(['convert', from, to], '-f replaces it', ['convert', '-f', from, to]);
  const into = `${newPath('d')}/`;
  await runHere(false, 'convert', from, into);
  await retried(['convert', from, into], 'pass --overwrite to write into it', ['convert', '--overwrite', from, into]);
});

test('columns of Parquet that cannot be taken', async () => {
  const secret = fileURLToPath(new URL('./tables/golden/encrypted-column.parquet', import.meta.url));
  const to = newPath();
  await retried(['convert', secret, to], 'name the other columns in --schema', [
    'convert',
    secret,
    to,
    '--schema',
    'n:int32',
  ]);
  expect(openSync(to).getItemSync(1)).toEqual({ n: Int32Array.of(2) });
});

test('an ending that says nothing', async () => {
  const [from, to] = [stored(), newPath('data')];
  await retried(['convert', from, to], '(or --to)', ['convert', from, to, '--to', 'jsonl']);
  expect(readFileSync(to, 'utf8').split('\n')).toHaveLength(3);
});

test('numbers that JSON does not hold', async () => {
  const from = newPath('jsonl');
  writeFileSync(from, '{"n":[9007199254740993]}\n');
  const failed = await runHere(false, 'convert', from, newPath());
  expect(failed.err).toContain('give a schema, and larger ones as text');
  writeFileSync(from, '{"n":["9007199254740993"]}\n');
  const to = newPath();
  expect((await runHere(false, 'convert', from, to, '--schema', 'n:int64')).code).toBe(0);
  expect(openSync(to).getItemSync(0)).toEqual({ n: BigInt64Array.of(2n ** 53n + 1n) });
});
