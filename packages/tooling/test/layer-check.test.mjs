import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { checkLayers } from '../src/layer-check.mjs';

function breachesOf(files) {
  const root = mkdtempSync(join(tmpdir(), 'layers-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return checkLayers(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

test('imports from the left pass', () => {
  assert.deepEqual(
    breachesOf({
      'packages/io/src/backend/native.ts': "import { loadNative } from '@colkit/native';\n",
      'packages/table/src/a.ts': "import { crc32 } from '@colkit/io';\nimport { b } from './b.ts';\n",
      'packages/table/src/b.ts': 'export const b = 1;\n',
      'packages/colstore/src/open.ts': "import type { Table } from '@colkit/table';\n",
      'packages/colkit/src/program/run.ts':
        "import description from '../../package.json' with { type: 'json' };\nimport { open } from 'columna';\n",
    }),
    [],
  );
});

test('imports from the right, of a sibling format, of the addon outside its door, and across a border by path are breaches', () => {
  const breaches = breachesOf({
    'packages/io/src/a.ts': "import type { Table } from '@colkit/table';\n",
    'packages/io/src/b.ts': "import { loadNative } from '@colkit/native';\n",
    'packages/colstore/src/c.ts': "import { x } from 'columna';\n",
    'packages/colstore/src/d.ts': "export { y } from '../../table/src/y.ts';\n",
    'packages/colstore/src/layout/e.ts': "import { z } from '../write/z.ts';\n",
    'packages/table/src/f.ts': "const arrow = await import('colstore');\n",
    'packages/columna/src/read/g.ts': "import { v } from '../inspect/v.ts';\n",
    'packages/columna/src/i.ts': "import { identify } from 'colkit';\n",
    'packages/columna/src/h.ts': "import description from '../../syrah/package.json' with { type: 'json' };\n",
  });
  assert.equal(breaches.length, 9);
  for (const file of [
    'io/src/a.ts',
    'io/src/b.ts',
    'src/c.ts',
    'src/d.ts',
    'layout/e.ts',
    'src/f.ts',
    'read/g.ts',
    'src/h.ts',
    'src/i.ts',
  ])
    assert.ok(
      breaches.some((breach) => breach.includes(file)),
      file,
    );
});

test('folders inside a folder have an order too, and what lies beside them is to their right', () => {
  const breaches = breachesOf({
    'packages/columna/src/write/values/a.ts': "import { b } from '../encode/b.ts';\n",
    'packages/columna/src/write/encode/b.ts': "import { w } from '../write.ts';\n",
    'packages/columna/src/write/file/c.ts': "import { z } from '../values/z.ts';\n",
    'packages/columna/src/write/write.ts': "import { c } from './file/c.ts';\n",
    'packages/columna/src/write/other/d.ts': "import { c } from '../file/c.ts';\n",
  });
  assert.equal(breaches.length, 3);
  for (const file of ['values/a.ts', 'encode/b.ts', 'other/d.ts'])
    assert.ok(
      breaches.some((breach) => breach.includes(file)),
      file,
    );
});

test('a cycle is a breach, also one of types over three lines', () => {
  const breaches = breachesOf({
    'packages/table/src/a.ts': "import type {\n  B,\n} from './b.ts';\nexport type A = B;\n",
    'packages/table/src/b.ts': "import type { A } from './a.ts';\nexport type B = A | null;\n",
  });
  assert.equal(breaches.length, 1);
  assert.match(breaches[0], /import cycle/);
});

test('a file of 401 lines is a breach, one of 400 is not', () => {
  assert.equal(breachesOf({ 'packages/io/src/a.ts': '\n'.repeat(401) }).length, 1);
  assert.equal(breachesOf({ 'packages/io/src/a.ts': '\n'.repeat(400) }).length, 0);
});
