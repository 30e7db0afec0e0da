// Loading an optional peer when it is first needed; what to do where it is missing is in the error.
import { UnsupportedError } from '@colkit/io';

/** @throws UnsupportedError ERR_FEATURE where the package is not installed. */
export async function optionalPeer<T>(load: () => Promise<T>, name: string): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UnsupportedError('ERR_FEATURE', name, `this needs the package ${name}, an optional peer that is not installed: npm install ${name}`);
  }
}
