// This repository's colstore as one of the formats for a table: rows and columns stored as they are, text in a fixed
// width.
import { backendInfo } from 'colstore';
import { versionOf } from '../src/checkouts/package-version.ts';
import type { Peer } from '../src/checkouts/peer.ts';
import { colstoreSuites } from '../suites/table/colstore.ts';

const backend = backendInfo().backend;

export const peer: Peer = {
  name: 'colstore-table',
  load: () => Promise.resolve({ colstore: versionOf('colstore') }),
  suites: colstoreSuites(backend, { 'formats-flights': ['flat'], 'formats-orders': ['flat'] }),
};
