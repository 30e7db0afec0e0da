// The same package without the addon: pure TypeScript, the same bytes.
import { versionOf } from '../src/checkouts/package-version.ts';
import type { Peer } from '../src/checkouts/peer.ts';
import { columnaSuites } from '../suites/table/columna.ts';

export const peer: Peer = {
  name: 'columna-js',
  load: () => Promise.resolve({ columna: versionOf('columna') }),
  suites: columnaSuites('js', { w2: ['default'] }),
};
