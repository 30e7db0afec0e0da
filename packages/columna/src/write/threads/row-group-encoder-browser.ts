// The same names as row-group-encoder.ts for browsers: the thread that writes encodes.
import { ON_THIS_THREAD } from './on-this-thread.ts';
import type { EncodingThreads } from './on-this-thread.ts';

export function tableThreads(): EncodingThreads {
  return {
    encoder: () => ({ run: () => Promise.resolve(ON_THIS_THREAD), runSync: () => ON_THIS_THREAD }),
    ahead: () => 0,
    close: () => ({ run: () => Promise.resolve(), runSync: () => undefined }),
    giveUp: () => undefined,
  };
}

export const groupThreads = tableThreads;
