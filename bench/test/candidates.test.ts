import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describePeers, listPeerFiles, peerFile, selectCandidates, unknownNames } from '../src/run/candidates.ts';

const fixture = (name: string): string => join(import.meta.dirname, 'fixtures', name);

test('a peer is asked what it is; one that cannot run says why', async () => {
  const peers = await describePeers([
    peerFile(fixture('steady.mjs')),
    peerFile(fixture('uninstalled.mjs')),
    peerFile(fixture('no-such-file.mjs')),
  ]);
  expect(peers.map(({ description }) => [description.name, description.versions])).toEqual([
    ['steady', { steady: '1.2.3' }],
    ['uninstalled', {}],
    ['no-such-file', {}],
  ]);
  expect(peers[0]?.description.missing).toBeNull();
  expect(peers[1]?.description.missing).toContain('a-package-that-is-not-installed');
  expect(peers[2]?.description.missing).toContain('no-such-file.mjs');
});

test('Python peers need a Python, and are there with the reason when none is given', async () => {
  const files = listPeerFiles([], {}).filter(({ command }) => command === null);
  expect(files.map(({ fileName }) => fileName)).toEqual([
    'numpy-memmap',
    'pyarrow-feather',
    'pyarrow-parquet',
    'python-bson-numpy',
    'python-colstore',
    'python-duckdb',
    'python-syrah',
    'vortex-file',
  ]);
  const described = await describePeers(files);
  for (const { description } of described) expect(description.missing).toContain('COLKIT_PYTHON');
  expect(selectCandidates(described, 'w1', [])).toEqual([]);
});

test('a Python that cannot be started is told too', async () => {
  const [peer] = await describePeers([peerFile('x.py', { COLKIT_PYTHON: '/no/such/python' })]);
  expect(peer?.description.missing).toContain('/no/such/python');
});

test('names pick peers, variants and patterns; diagnostic peers wait to be named', () => {
  const command = { program: 'p', parameters: [], environment: {} };
  const make = (name: string, onRequest: boolean) => ({
    file: { fileName: name, command, missing: null },
    description: { name, onRequest, missing: null, versions: {}, suites: { s: ['x1', 'x2'] } },
  });
  const peers = [make('a', false), make('b.c', false), make('deep', true)];
  const ids = (...wanted: string[]): string[] => selectCandidates(peers, 's', wanted).map(({ id }) => id);
  expect(ids()).toEqual(['a/x1', 'a/x2', 'b.c/x1', 'b.c/x2']);
  expect(ids('deep')).toEqual(['deep/x1', 'deep/x2']);
  expect(ids('*/x1')).toEqual(['a/x1', 'b.c/x1', 'deep/x1']);
  expect(ids('b.c/x2', 'a')).toEqual(['a/x1', 'a/x2', 'b.c/x2']);
  expect(ids('bxc')).toEqual([]);
  expect(unknownNames(peers, ['a', 'bxc', 'a/x3', '*/x2'])).toEqual(['bxc', 'a/x3']);
  expect(selectCandidates(peers, 'other suite', [])).toEqual([]);
});
