// This repository's syrah with its native kernels: items and batches in both forms, and epochs through the loader.
import { backendInfo } from 'syrah';
import { versionOf } from '../src/checkouts/package-version.ts';
import type { Peer } from '../src/checkouts/peer.ts';
import { w3Syrah } from '../suites/w3-syrah.ts';

export const peer: Peer = {
  name: 'syrah',
  load: () => {
    const { backend, reason } = backendInfo();
    return backend === 'native'
      ? Promise.resolve({ syrah: versionOf('syrah') })
      : Promise.reject(new Error(`no native addon: ${reason}`));
  },
  suites: w3Syrah({
    sync: { backend: 'native', kind: 'sync' },
    async: { backend: 'native', kind: 'async' },
    'loader-w0': { backend: 'native', kind: 'loader', workers: 0 },
    'loader-w2': { backend: 'native', kind: 'loader', workers: 2 },
    resident: { backend: 'native', kind: 'resident' },
  }),
};
