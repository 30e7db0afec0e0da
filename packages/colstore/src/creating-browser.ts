// The same names as creating.ts for browsers, where there is no path to open again.
import { UnsupportedError } from '@colkit/io';

export function createTable(): Promise<never> {
  return Promise.reject(noPaths());
}

export function createTableSync(): never {
  throw noPaths();
}

const noPaths = (): UnsupportedError =>
  new UnsupportedError(
    'ERR_FEATURE',
    'ColStore.from…',
    'a browser has no paths: write(sink, data) with a MemorySink, then open(sink.bytes())',
  );
