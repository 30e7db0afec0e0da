import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { undocumentedOptions } from '../src/option-docs.mjs';

function missingIn(source) {
  const root = mkdtempSync(join(tmpdir(), 'options-'));
  try {
    writeFileSync(join(root, 'tsconfig.base.json'), '{ "compilerOptions": { "strict": true, "noLib": true } }');
    mkdirSync(join(root, 'packages', 'a'), { recursive: true });
    const entry = join(root, 'packages', 'a', 'index.ts');
    writeFileSync(entry, source);
    return undocumentedOptions(root, [entry]).missing.map((line) => line.replace(/^.*: /, ''));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

test('options of functions, methods, constructors and objects within are found, wherever they are declared', () => {
  const source = `
    interface Hidden {
      /** Said. */
      said: number;
      unsaid: number;
      nested: { deep: number };
    }
    export function f(options: Hidden): void {}
    export class C {
      constructor(options: { made: number }) {}
      m(options?: { called?: number }): void {}
      static s(given: { fixed: number }): void {}
      private p(options: { mine: number }): void {}
    }
    export interface Other { m(options: { asked: number }): void }
    export interface OwnOptions { own: number }
    export type LateOptions = OwnOptions & { late: number };
    interface Unseen { unseen: number }
    function hidden(options: Unseen): void {}
  `;
  const found = missingIn(source).map((line) => line.split('.').at(-1));
  assert.deepEqual(
    found.sort(),
    ['unsaid', 'nested', 'deep', 'made', 'called', 'fixed', 'asked', 'own', 'late'].sort(),
  );
});

test('a comment on the field, one on the field it comes from, or @param is enough', () => {
  const source = `
    interface Base {
      /** Said. */
      inherited: number;
    }
    interface Options extends Base {
      /** Said. */
      own: number;
    }
    /**
     * Does it.
     * @param options what is asked
     * @param options.tagged what is tagged
     */
    export function f(options: { tagged: number }): void {}
    export function g(options: Options): void {}
  `;
  assert.deepEqual(missingIn(source), []);
});
