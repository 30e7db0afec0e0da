// This repository's columna with its native kernels: by default, smallest, plain; awaited and on the calling thread.
import { backendInfo } from 'columna';
import { versionOf } from '../src/checkouts/package-version.ts';
import type { Peer } from '../src/checkouts/peer.ts';
import { corpusColumna } from '../suites/corpus/columna.ts';
import { columnaSuites } from '../suites/table/columna.ts';
import { datasetColumna } from '../suites/dataset/columna.ts';
import { wideColumna } from '../suites/wide-columna.ts';

export const peer: Peer = {
  name: 'columna',
  load: () => {
    const { backend, reason } = backendInfo();
    return backend === 'native'
      ? Promise.resolve({ columna: versionOf('columna') })
      : Promise.reject(new Error(`no native addon: ${reason}`));
  },
  suites: {
    wide: wideColumna(),
    dataset: datasetColumna(),
    ...corpusColumna('native', ['default', 'fast', 'smallest']),
    ...columnaSuites('native', {
      w2: ['default', 'default-sync', 'fast', 'smallest'],
      csv: ['default', 'fast'],
      'formats-flights': ['default', 'fast', 'smallest', 'plain'],
      'formats-orders': ['default', 'fast', 'smallest', 'plain'],
    }),
  },
};
