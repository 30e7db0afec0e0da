// The same package without the addon: pure TypeScript, the same bytes, positional reads, no views.
import { versionOf } from '../src/checkouts/package-version.ts';
import type { Peer } from '../src/checkouts/peer.ts';
import { w3Syrah } from '../suites/w3-syrah.ts';

export const peer: Peer = {
  name: 'syrah-js',
  load: () => Promise.resolve({ syrah: versionOf('syrah') }),
  suites: w3Syrah({ sync: { backend: 'js', kind: 'sync' } }),
};
