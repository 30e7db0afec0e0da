// The independent reader in plain Python against the writer: every sample file must come back as the same values, and
// what it refuses this package refuses, with the addon and without.
// Without Python 3 it is skipped, but never where CI is set: there its absence is a failure.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isColkitError, setDefaultBackend } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { readSync } from '../../src/index.ts';
import { appendSync } from '../../src/write/append.ts';
import { createSync } from '../../src/write/create.ts';
import { recoverSync } from '../../src/write/recover.ts';
import { backendsToAsk } from '../support/backends.ts';
import { withOneByteChanged } from '../support/damaged.ts';
import { expectedRows, readTable, writeTable } from '../support/table.ts';
import type { ReadColumn } from '../support/table.ts';
import { samples } from '../support/samples.ts';

const READER = fileURLToPath(new URL('read_cna.py', import.meta.url));
const SPECIFICATION = fileURLToPath(new URL('../../../../docs/formats/columna.md', import.meta.url));
const BACKENDS = backendsToAsk();
const folder = mkdtempSync(join(tmpdir(), 'columna-reference-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PYTHON = ['python3', 'python'].find(
  (command) => spawnSync(command, ['-c', 'import sys; sys.exit(sys.version_info[0] != 3)']).status === 0,
);
const isRequired = (process.env['CI'] ?? '') !== '';

function python(...parameters: string[]): string {
  if (PYTHON === undefined)
    throw new Error('no Python 3 is installed, and the reference reader must run where CI is set');
  return execFileSync(PYTHON, ['-B', READER, ...parameters], { encoding: 'utf8', maxBuffer: 1 << 28 });
}

type Answer = { columns: ReadColumn[] } | { refused: string };

describe.skipIf(PYTHON === undefined && !isRequired)('the reference reader', () => {
  const files = samples().map((sample) => {
    const path = join(folder, `${sample.name}.cna`);
    const { bytes, reports } = writeTable(sample.columns, sample.options);
    writeFileSync(path, bytes);
    return { ...sample, path, bytes, reports };
  });
  // A skipped suite is collected all the same.
  const answers =
    PYTHON === undefined && !isRequired
      ? []
      : python(...files.map(({ path }) => path))
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Answer);

  it.each(files.map(({ name }, number) => [name, number] as const))('reads %s', (_, number) => {
    const { columns, bytes } = files[number]!;
    const expected = columns.map((column) => ({ name: column.name, type: column.type, values: expectedRows(column) }));
    expect(answers[number]).toMatchObject({ columns: expected });
    expect(readTable(bytes).columns).toMatchObject(expected);
  });

  it('met every encoding, DEFLATE and joint dictionaries among them', () => {
    const labels = files.flatMap(({ reports }) =>
      reports.flatMap(({ pages, dictionary, leader }) =>
        [...pages, ...(dictionary === null ? [] : [dictionary])].map(
          ({ encoding, codec }) => `${encoding} ${codec} ${leader ?? ''}`,
        ),
      ),
    );
    const seen = (pattern: RegExp) => labels.some((label) => pattern.test(label));
    for (const name of [
      'PLAIN',
      'DELTA',
      'DICTIONARY',
      'RLE',
      'BITPACK',
      'DECIMAL',
      'AFFINE',
      'PATCHED',
      'ENTROPY',
      'BITS',
      'DEFLATE',
    ])
      expect(seen(new RegExp(`\\b${name}\\b`)), name).toBe(true);
    expect(seen(/^PATCHED\(DECIMAL/) && seen(/^DECIMAL\(BITPACK/) && seen(/RLE\(/)).toBe(true);
    const chunks = files.flatMap(({ reports }) => reports);
    expect(chunks.some(({ leader }) => leader !== null)).toBe(true);
    expect(
      chunks.some(({ leader, dictionary, pages }) => leader === null && dictionary !== null && pages.length > 1),
    ).toBe(true);
  });

  it('reads what was streamed, appended to and recovered, with older footers in it', () => {
    const rows = (start: number, count: number) => ({
      n: Int32Array.from({ length: count }, (_, i) => start + i * i),
      t: Array.from({ length: count }, (_, i) => ((start + i) % 3 === 0 ? null : `t${start + i}`)),
    });
    const path = join(folder, 'streamed.cna');
    const writer = createSync(path, {
      rowGroupSize: 30,
      schema: { n: 'int32', t: { dtype: 'string', nullable: true } },
    });
    writer.writeSync(rows(0, 50));
    writer.checkpointSync();
    writer.writeSync(rows(50, 40));
    writer.closeSync();
    appendSync(path, rows(90, 20));
    appendFileSync(path, 'what a dead writer left');
    expect(JSON.parse(python(path))).toHaveProperty('refused');
    expect(recoverSync(path)).toMatchObject({ status: 'recovered', rowCount: 110 });
    const all = [rows(0, 50), rows(50, 40), rows(90, 20)];
    const [n, t] = (JSON.parse(python(path)) as { columns: ReadColumn[] }).columns;
    expect([n!.values, t!.values]).toEqual([
      all.flatMap((part) => Array.from(part.n, String)),
      all.flatMap((part) => part.t),
    ]);
  });

  it('decodes the worked examples of the specification', () =>
    expect(JSON.parse(python('--examples', SPECIFICATION))).toEqual({ examples: 21 }));

  it('refuses what this package refuses, and nothing else, where one byte is wrong and the CRCs are right', () => {
    const random = createRandom(20);
    const small = files.filter(({ bytes }) => bytes.length < 7000);
    const cases = Array.from({ length: 400 }, (_, number) => {
      const { name, bytes } = small[random.integer(small.length)]!;
      const path = join(folder, `changed-${number}.cna`);
      const changed = withOneByteChanged(bytes, random);
      writeFileSync(path, changed);
      return { name, path, changed };
    });
    const found = python(...cases.map(({ path }) => path))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Answer);
    const tally = { refused: 0, read: 0 };
    for (const [number, { name, path, changed }] of cases.entries()) {
      const answer = found[number]!;
      for (const backend of BACKENDS) {
        const own = refusalOf(changed, backend);
        const told = `${path} (${name}): ${JSON.stringify(answer).slice(0, 200)}, here ${own ?? 'read'} (${backend})`;
        expect('refused' in answer, told).toBe(own !== null);
      }
      if ('refused' in answer) tally.refused += 1;
      else {
        tally.read += 1;
        expect(
          answer.columns.map(({ values }) => values),
          path,
        ).toEqual(readTable(changed).columns.map(({ values }) => values));
      }
    }
    expect(Math.min(tally.refused, tally.read)).toBeGreaterThan(100);
  });

  it('refuses what is damaged', () => {
    const { bytes } = writeTable(files.find(({ name }) => name === 'types-9')!.columns);
    const paths = [4, 40, 60, Math.floor(bytes.length / 2), bytes.length - 20].map((at) => {
      const damaged = bytes.slice();
      damaged[at]! ^= 0x10;
      const path = join(folder, `damaged-${at}.cna`);
      writeFileSync(path, damaged);
      return path;
    });
    for (const line of python(...paths)
      .trimEnd()
      .split('\n'))
      expect(JSON.parse(line)).toHaveProperty('refused');
  });
});

/** Why reading all of a file fails; null where it does not. */
function refusalOf(bytes: Uint8Array, backend: 'js' | 'native'): string | null {
  setDefaultBackend(backend);
  try {
    readSync(bytes);
    return null;
  } catch (error) {
    if (!isColkitError(error)) throw error;
    return error.message;
  } finally {
    setDefaultBackend('js');
  }
}
