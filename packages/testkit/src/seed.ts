// Loaded before each test file: random cases are the same in each run, so that a failure is of the change under test
// and comes again. COLKIT_SEED=random draws others, COLKIT_SEED=<number> repeats them (a failure prints its seed).
import fc from 'fast-check';
import { expect } from 'vitest';

const asked = process.env['COLKIT_SEED'] ?? '20261123';

if (asked !== 'random') {
  const seed = Number(asked);
  if (!Number.isInteger(seed)) throw new Error(`COLKIT_SEED is a whole number or "random", not "${asked}".`);
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}

// Arrays of the same bytes, and lists of the same values, are equal without a look at each of these in the way of
// vitest, which takes a microsecond.
expect.addEqualityTesters([
  (a: unknown, b: unknown): true | undefined => (haveSameBytes(a, b) || haveSameValues(a, b) ? true : undefined),
]);

function haveSameBytes(a: unknown, b: unknown): boolean {
  return (
    ArrayBuffer.isView(a) && ArrayBuffer.isView(b) && a.constructor === b.constructor && bytesOf(a).equals(bytesOf(b))
  );
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** A hole is not an undefined, to some. */
function haveSameValues(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] === undefined || !Object.is(a[i], b[i])) return false;
  return true;
}
