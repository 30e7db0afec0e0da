// What to do where an optional peer dependency does not load. Who loads one imports it by name inside of a `try`,
// in so many words: bundlers follow it where the peer is installed, and go on where it is not.
import { UnsupportedError } from './errors.ts';
import { messageOf } from './system-error.ts';

/** The error for a package that is not installed, or does not load: UnsupportedError ERR_FEATURE. */
export function missingPeer(name: string, error: unknown): UnsupportedError {
  return new UnsupportedError(
    'ERR_FEATURE',
    name,
    `this needs the package ${name}, an optional peer that could not be loaded: npm install ${name} ` +
      `(${messageOf(error)})`,
  );
}
