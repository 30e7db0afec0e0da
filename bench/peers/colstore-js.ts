// The same package without the addon: pure TypeScript, the same bytes.
import { versionOf } from '../src/checkouts/package-version.ts';
import type { Peer } from '../src/checkouts/peer.ts';
import { rawColstore } from '../suites/raw/colstore.ts';
import { w1Colstore } from '../suites/w1-colstore.ts';

export const peer: Peer = {
  name: 'colstore-js',
  load: () => Promise.resolve({ colstore: versionOf('colstore') }),
  suites: {
    raw: rawColstore({ sync: { file: 'flat', async: false, backend: 'js', maxWorkers: 1 } }),
    w1: w1Colstore({
      sync: { file: 'flat', async: false, backend: 'js', maxWorkers: 1 },
      'records-sync': { file: 'records', async: false, backend: 'js', maxWorkers: 1 },
    }),
  },
};
