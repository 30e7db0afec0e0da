// Loading an optional peer dependency when it is first needed; what to do where that fails is in the error.
import { UnsupportedError } from './errors.ts';
import { messageOf } from './source-checks.ts';

/** @throws UnsupportedError ERR_FEATURE where the package is not installed, or does not load. */
export async function optionalPeer<T>(load: () => Promise<T>, name: string): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new UnsupportedError(
      'ERR_FEATURE',
      name,
      `this needs the package ${name}, an optional peer that could not be loaded: npm install ${name} (${messageOf(error)})`,
    );
  }
}
