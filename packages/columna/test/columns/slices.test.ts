// What one encoding is stands together: each is registered, decodes, has its paragraph of the specification, which the
// docs include, and names its tree as the writer does.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ENCODINGS } from '../../src/columns/encodings/index.ts';
import { encodingOf } from '../../src/columns/encodings/readers.ts';
import { ENCODING_NAMES, Encoding } from '../../src/layout/constants.ts';

const folder = new URL('../../src/columns/encodings/', import.meta.url);

it('has every encoding of the format once, by its id', () => {
  expect(ENCODINGS.map(({ name }) => name).sort()).toEqual([...ENCODING_NAMES].sort());
  for (const [id, name] of ENCODING_NAMES.entries()) {
    expect(encodingOf(id)?.name).toBe(name);
    expect(encodingOf(id)?.decode ?? encodingOf(id)?.decodeStrings).toBeDefined();
  }
  expect(encodingOf(ENCODING_NAMES.length)).toBeUndefined();
});

it('has a paragraph of the specification beside each, and the specification says the same', () => {
  const headings = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readFileSync(new URL(`${name}/spec.md`, folder), 'utf8').split('\n', 1)[0]);
  expect(headings.sort()).toEqual(ENCODING_NAMES.map((name) => `#### ${name} (${Encoding[name]})`).sort());
  const script = fileURLToPath(new URL('../../scripts/write-encodings-spec.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
