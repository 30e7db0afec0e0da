// Loaded before each test file: random cases are the same in each run, so that a failure is of the change under test
// and comes again. COLKIT_SEED=random draws others, COLKIT_SEED=<number> repeats them (a failure prints its seed).
import fc from 'fast-check';

const asked = process.env['COLKIT_SEED'] ?? '20261123';

if (asked !== 'random') {
  const seed = Number(asked);
  if (!Number.isInteger(seed)) throw new Error(`COLKIT_SEED is a whole number or "random", not "${asked}".`);
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}
