// What a caller changes of what it gave while a write goes on: options are those of the call, and an array whose buffer
// goes to another thread is told.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '@colkit/testkit';
import { afterAll, expect, it } from 'vitest';
import { append, create, inspect, open, typed, write } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-caller-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const ROWS = 10_000;

it('options are those of the call', async () => {
  const path = join(folder, 'options.cna');
  const options = { rowGroupSize: ROWS, overwrite: false };
  const writing = write(path, { n: new Int32Array(ROWS) }, options);
  options.rowGroupSize = 100;
  options.overwrite = true;
  await writing;
  expect((await inspect(path)).rowGroups.length).toBe(1);
  options.overwrite = false;
  const refused = write(path, { n: new Int32Array(1) }, options);
  options.overwrite = true;
  expect(await codeOf(() => refused)).toBe('ERR_EXISTS');
});

it('options that are inherited are, too', async () => {
  const path = join(folder, 'inherited.cna');
  const inherited = Object.create({ rowGroupSize: ROWS / 10 }) as { rowGroupSize: number };
  await write(path, { n: new Int32Array(ROWS) }, inherited);
  expect((await inspect(path)).rowGroups.length).toBe(10);
});

it('an array whose buffer is transferred while it is written ends the write, and leaves no file', async () => {
  const path = join(folder, 'transferred.cna');
  const n = Float64Array.from({ length: ROWS }, Math.sin);
  const onProgress = (): void =>
    void structuredClone(n.buffer, { transfer: n.buffer.byteLength > 0 ? [n.buffer] : [] });
  expect(await codeOf(() => write(path, { n }, { rowGroupSize: ROWS / 100, onProgress }))).toBe('ERR_DETACHED');
  expect(existsSync(path)).toBe(false);
});

it('packed texts of any width go into columns of texts', async () => {
  const path = join(folder, 'texts.cna');
  await write(path, { t: ['a'] });
  await append(path, { t: typed('U4', ['bcde', 'f']) });
  await append(path, { t: typed('S2', [Uint8Array.of(0xe9), 'h']) });
  const other = join(folder, 'others.cna');
  const writer = await create(other, { schema: { t: 'string' } });
  await writer.write({ t: typed('U4', ['😀']) });
  await writer.write(await open(path));
  await writer.write({ t: { values: typed('U1', ['x', '']), validity: Uint8Array.of(1) } });
  await writer.close();
  const texts = await (await open(other)).column('t').toArray();
  expect([...texts]).toEqual(['😀', 'a', 'bcde', 'f', 'é', 'h', 'x', null]);
  expect(await codeOf(() => append(path, { t: typed('binary', [Uint8Array.of(1)]) }))).toBe('ERR_SCHEMA');
});
