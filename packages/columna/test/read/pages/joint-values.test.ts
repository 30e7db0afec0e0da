// A joint page that holds values where codes are to be: refused, with the addon as without it, whatever is asked.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openSync } from '../../../src/index.ts';
import type { Table } from '../../../src/index.ts';
import { answer } from '../../support/answer.ts';
import { craft } from '../../support/craft.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-joint-values-'));
afterAll(() => rmSync(folder, { recursive: true }));

const projectBackend = process.env['COLKIT_BACKEND'] === 'js' ? 'js' : 'native';
const PLAIN = { encoding: 0, parameter: 2 };
const entries = Int32Array.of(10, 20, 30, 40);
const values = Int32Array.from({ length: 400 }, (_, row) => row % 4);
const bytesOf = ({ buffer }: Int32Array): Uint8Array => new Uint8Array(buffer);

const QUESTIONS: readonly ((table: Table) => unknown)[] = [
  (table) => table.column('v').sumSync(),
  (table) => table.column('v').maxSync(),
  (table) => table.groupBy('v').aggSync({ n: 'count' }),
  (table) => table.aggSync({ n: { countDistinct: 'v' } }),
  (table) => table.toColumnsSync(),
  (table) => table.take([5, 9]).toColumnsSync(),
  (table) => table.where('v > 1').countSync(),
];

it.each(QUESTIONS.map((ask) => [String(ask), ask] as const))('%s', (_, ask) => {
  const path = join(folder, 'values.cna');
  const page = { type: 'int32', ...PLAIN, rowCount: values.length, body: bytesOf(values) } as const;
  const dictionary = { ...PLAIN, rowCount: entries.length, body: bytesOf(entries) };
  writeFileSync(
    path,
    craft({ ...page, dictionary }, ({ chunk, group }) => ({ chunk: { ...chunk, joint: true }, group })),
  );
  const answers = (['js', projectBackend] as const).map((backend) => {
    using table = openSync(path, { backend });
    return answer(() => ask(table));
  });
  expect(answers).toEqual(['ERR_LAYOUT', 'ERR_LAYOUT']);
});
