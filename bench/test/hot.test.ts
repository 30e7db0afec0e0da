// The list of hot calls names what is there, and a candidate can run over the libraries of another checkout.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describePeers, listPeerFiles, peerFile } from '../src/run/candidates.ts';
import { CHECKOUT_VARIABLE, redirectionTo } from '../src/checkouts/checkout.ts';
import { HOT, hotParts } from '../src/checkouts/hot.ts';
import { SUITES } from '../src/suites.ts';

let other = '';
beforeEach(() => {
  other = mkdtempSync(join(tmpdir(), 'colkit-checkout-'));
});
afterEach(() => rmSync(other, { recursive: true, force: true }));

/** As much of a built checkout as the bench asks for. */
function makeCheckout(libraries: readonly string[] = ['colstore', 'columna', 'syrah', '@colkit/io']): void {
  mkdirSync(join(other, 'bench'));
  writeFileSync(join(other, 'bench', 'package.json'), '{}');
  for (const name of libraries) {
    const folder = join(other, 'bench', 'node_modules', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, type: 'module', exports: './index.js' }));
    writeFileSync(
      join(folder, 'index.js'),
      `export const backendInfo = () => ({ backend: 'the other ${name}', reason: '' });`,
    );
  }
}

test('every part of the list is a suite, its tasks and a candidate', async () => {
  const peers = await describePeers(
    listPeerFiles([]).filter(({ fileName }) => ['colstore', 'columna', 'syrah', 'calls'].includes(fileName)),
  );
  for (const { suite, candidate, tasks } of HOT) {
    const found = SUITES.find(({ name }) => name === suite);
    expect(
      found?.tasks.map(({ name }) => name),
      suite,
    ).toEqual(expect.arrayContaining([...tasks]));
    const [peer, variant] = candidate.split('/');
    const { description } = peers.find((each) => each.description.name === peer) ?? {};
    // Without the addon a peer is not there, but says what it would take part in.
    expect(description?.suites[suite], candidate).toContain(variant);
  }
});

test('parts are picked by task, suite and task, suite, or candidate', () => {
  expect(hotParts([])).toEqual(HOT);
  expect(hotParts(['w1/a-new', 'csv']).map(({ suite, candidate, tasks }) => [suite, candidate, ...tasks])).toEqual([
    ['w1', 'colstore/sync-x2', 'a-new'],
    ['w1', 'colstore/async-x2', 'a-new'],
    ['w1', 'colstore/records-sync-x2', 'a-new'],
    ['w2', 'columna/default', 'csv'],
  ]);
  expect(hotParts(['calls/async'])).toEqual(HOT.filter(({ candidate }) => candidate === 'calls/async'));
  expect(() => hotParts(['w1/a-old'])).toThrow('w1/a-old');
});

test('a peer imports the libraries of the other checkout', async () => {
  makeCheckout();
  const [peer] = await describePeers([
    peerFile(join(import.meta.dirname, 'fixtures', 'imports-colstore.mjs'), process.env, {
      [CHECKOUT_VARIABLE]: other,
    }),
  ]);
  expect(peer?.description).toMatchObject({ missing: null, versions: { backend: 'the other colstore' } });
});

test('what is no checkout, or is not built, is told', async () => {
  expect(() => redirectionTo(other)).toThrow('it has no bench/package.json');
  makeCheckout(['colstore', 'columna']);
  expect(() => redirectionTo(other)).toThrow(/has no syrah to run: .*npm run build/);
  const [peer] = await describePeers([
    peerFile(join(import.meta.dirname, 'fixtures', 'imports-colstore.mjs'), process.env, {
      [CHECKOUT_VARIABLE]: other,
    }),
  ]);
  expect(peer?.description.missing).toContain('has no syrah to run');
});
