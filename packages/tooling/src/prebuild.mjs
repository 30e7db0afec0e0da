#!/usr/bin/env node
// Cross-compiles the addon for the platforms that are published: `pnpm prebuild [PLATFORM …]`, all of them without
// names. With one compiler (zig-build.mjs) for every system, and old C libraries to link against, so that the binary
// loads on older systems too. Minutes a platform the first time.
import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PLATFORMS, packageOf } from '../../../native/platforms.js';
import { chosenPlatforms } from './platform-runners.mjs';
import { NATIVE, buildAddon, installZig } from './zig-build.mjs';

const LARGEST_BINARY = 700_000;

const names = chosenPlatforms(process.argv.slice(2));
const zig = installZig();
for (const name of names) {
  const binary = join(NATIVE, 'platforms', name, 'colkit_native.node');
  copyFileSync(buildAddon(zig, name, PLATFORMS[name]), binary);
  const { size } = statSync(binary);
  if (size > LARGEST_BINARY) throw new Error(`${binary}: ${size} bytes, at most ${LARGEST_BINARY}`);
  console.log(`${packageOf(name)}: ${binary}, ${size} bytes`);
}
