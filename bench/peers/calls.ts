// The three packages of this repository in small calls, one process for all: awaited, on the calling thread, by
// positional reads in place of a mapping, and without the addon.
import { backendInfo } from 'colstore';
import { versionOf } from '../src/checkouts/package-version.ts';
import type { Peer } from '../src/checkouts/peer.ts';
import { smallCalls } from '../suites/calls-ours.ts';

export const peer: Peer = {
  name: 'calls',
  load: () => {
    const { backend, reason } = backendInfo();
    const versions = Object.fromEntries(['colstore', 'columna', 'syrah'].map((name) => [name, versionOf(name)]));
    return backend === 'native' ? Promise.resolve(versions) : Promise.reject(new Error(`no native addon: ${reason}`));
  },
  suites: {
    calls: smallCalls({
      sync: { async: false, io: 'auto' },
      async: { async: true, io: 'auto' },
      'sync-pread': { async: false, io: 'pread' },
    }),
  },
};
