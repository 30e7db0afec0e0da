// A folder of its own for each test file, removed afterwards.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export interface TestFolder {
  readonly path: string;
  /** Writes a file, and gives its path. */
  file(name: string, bytes: Uint8Array): string;
}

export function testFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'colkit-io-'));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    file(name, bytes) {
      const full = join(path, name);
      writeFileSync(full, bytes);
      return full;
    },
  };
}

/** Bytes that differ from their neighbours, the same in every run. */
export function patternBytes(byteLength: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(byteLength);
  let state = seed >>> 0 || 1;
  for (let i = 0; i < byteLength; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

/** Equality of bytes; the test runner's own takes seconds for a megabyte. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
