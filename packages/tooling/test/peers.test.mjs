// Package managers that let a package see only what it names (Yarn's Plug'n'Play) look for an optional peer of
// `@colkit/table` among what the package above it names, not in the user's project.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manifestOf, publishedFolders } from '../src/published.mjs';

/** Makes items, and gives nobody a table. */
const WITHOUT_TABLES = ['syrah'];
const { peerDependencies, peerDependenciesMeta } = manifestOf('packages/table');

for (const folder of publishedFolders()) {
  const manifest = manifestOf(folder);
  if (manifest.dependencies?.['@colkit/table'] === undefined || WITHOUT_TABLES.includes(manifest.name)) continue;

  test(`${manifest.name}: passes on the optional peers of @colkit/table`, () => {
    for (const [name, versions] of Object.entries(peerDependencies)) {
      assert.equal(manifest.peerDependencies?.[name], versions, name);
      assert.deepEqual(manifest.peerDependenciesMeta?.[name], peerDependenciesMeta[name], name);
    }
  });
}
