// The independent reader in plain Python against the writer: every sample file must come back as the same values. Python 3 is needed; where it is missing, this fails.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { expectedRows, readTable, writeTable } from '../support/table.ts';
import type { ReadColumn } from '../support/table.ts';
import { samples } from '../support/samples.ts';

const READER = fileURLToPath(new URL('read_cna.py', import.meta.url));
const SPECIFICATION = fileURLToPath(new URL('../../../../docs/formats/columna.md', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'columna-reference-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function python(...parameters: string[]): string {
  return execFileSync('python3', ['-B', READER, ...parameters], { encoding: 'utf8', maxBuffer: 1 << 28 });
}

type Answer = { columns: ReadColumn[] } | { refused: string };

describe('the reference reader', () => {
  const files = samples().map((sample) => {
    const path = join(folder, `${sample.name}.cna`);
    const { bytes, reports } = writeTable(sample.columns, sample.options);
    writeFileSync(path, bytes);
    return { ...sample, path, bytes, reports };
  });
  const answers = python(...files.map(({ path }) => path)).trimEnd().split('\n').map((line) => JSON.parse(line) as Answer);

  it.each(files.map(({ name }, number) => [name, number] as const))('reads %s', (_, number) => {
    const { columns, bytes } = files[number]!;
    const expected = columns.map((column) => ({ name: column.name, type: column.type, values: expectedRows(column) }));
    expect(answers[number]).toMatchObject({ columns: expected });
    expect(readTable(bytes).columns).toMatchObject(expected);
  });

  it('met every encoding, DEFLATE and joint dictionaries among them', () => {
    const labels = files.flatMap(({ reports }) => reports.flatMap(({ pages, dictionary, leader }) => [...pages, ...(dictionary === null ? [] : [dictionary])].map(({ encoding, codec }) => `${encoding} ${codec} ${leader ?? ''}`)));
    const seen = (pattern: RegExp) => labels.some((label) => pattern.test(label));
    for (const name of ['PLAIN', 'DELTA', 'DICTIONARY', 'RLE', 'BITPACK', 'DECIMAL', 'AFFINE', 'PATCHED', 'ENTROPY', 'BITS', 'DEFLATE']) expect(seen(new RegExp(`\\b${name}\\b`)), name).toBe(true);
    expect(seen(/^PATCHED\(DECIMAL/) && seen(/^DECIMAL\(BITPACK/) && seen(/RLE\(/)).toBe(true);
    const chunks = files.flatMap(({ reports }) => reports);
    expect(chunks.some(({ leader }) => leader !== null)).toBe(true);
    expect(chunks.some(({ leader, dictionary, pages }) => leader === null && dictionary !== null && pages.length > 1)).toBe(true);
  });

  it('decodes the worked examples of the specification', () => expect(JSON.parse(python('--examples', SPECIFICATION))).toEqual({ examples: 17 }));

  it('refuses what is damaged', () => {
    const { bytes } = writeTable(files.find(({ name }) => name === 'types-9')!.columns);
    const paths = [4, 40, 60, Math.floor(bytes.length / 2), bytes.length - 20].map((at) => {
      const damaged = bytes.slice();
      damaged[at]! ^= 0x10;
      const path = join(folder, `damaged-${at}.cna`);
      writeFileSync(path, damaged);
      return path;
    });
    for (const line of python(...paths).trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('refused');
  });
});
