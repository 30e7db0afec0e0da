// This repository's colstore with its native kernels: sync and async, one thread and two, the flat file and the one of
// records.
import { backendInfo } from 'colstore';
import { versionOf } from '../src/checkouts/package-version.ts';
import type { Peer } from '../src/checkouts/peer.ts';
import { publishedColstore } from '../suites/published/colstore.ts';
import { rawColstore } from '../suites/raw/colstore.ts';
import { w1Colstore } from '../suites/w1-colstore.ts';

export const peer: Peer = {
  name: 'colstore',
  load: () => {
    const { backend, reason } = backendInfo();
    return backend === 'native'
      ? Promise.resolve({ colstore: versionOf('colstore') })
      : Promise.reject(new Error(`no native addon: ${reason}`));
  },
  suites: {
    published: publishedColstore({
      'one-x2': { cut: 'one', maxWorkers: 2, backend: 'native' },
      'one-x1': { cut: 'one', maxWorkers: 1, backend: 'native' },
      'records-x2': { cut: 'records', maxWorkers: 2, backend: 'native' },
      'files-x2': { cut: 'files', maxWorkers: 2, backend: 'native' },
    }),
    raw: rawColstore({
      'sync-x2': { file: 'flat', async: false, backend: 'native', maxWorkers: 2 },
      'sync-x1': { file: 'flat', async: false, backend: 'native', maxWorkers: 1 },
      'async-x2': { file: 'flat', async: true, backend: 'native', maxWorkers: 2 },
      'records-sync-x2': { file: 'records', async: false, backend: 'native', maxWorkers: 2 },
    }),
    w1: w1Colstore({
      'sync-x2': { file: 'flat', async: false, backend: 'native', maxWorkers: 2 },
      'sync-x1': { file: 'flat', async: false, backend: 'native', maxWorkers: 1 },
      'async-x2': { file: 'flat', async: true, backend: 'native', maxWorkers: 2 },
      'async-x1': { file: 'flat', async: true, backend: 'native', maxWorkers: 1 },
      'records-sync-x2': { file: 'records', async: false, backend: 'native', maxWorkers: 2 },
      'files-sync-x2': { file: 'files', async: false, backend: 'native', maxWorkers: 2 },
      'records-async-x2': { file: 'records', async: true, backend: 'native', maxWorkers: 2 },
    }),
  },
};
