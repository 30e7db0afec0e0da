#!/usr/bin/env node
// `colkit-native build` builds the addon where no shipped binary fits; `colkit-native info` tells where it was found,
// or why not.
import { loadNative } from '../index.js';
import { platformName } from '../platform.js';
import { binaryPath, build } from './build.js';
import { note, print, visibleText } from './print.js';
import { describeToolchain } from './toolchain.js';

const USAGE = `Usage: colkit-native <command>

  build   build the addon from the sources in this package (needs a C++ compiler and cmake)
  info    tell where the addon was found, or why it was not`;

const [command, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (command !== 'build' && command !== 'info')) {
  const help = command === undefined || command === '--help' || command === '-h';
  (help ? print : note)(USAGE);
  process.exitCode = help ? 0 : 2;
} else if (command === 'info') {
  info();
} else {
  runBuild();
}

function info() {
  const { binding, path, reason, tried } = loadNative();
  print(`platform: ${platformName()}, Node ${process.versions.node}`);
  for (const { path: file, error } of tried) print(`tried:    ${visibleText(file)}: ${visibleText(error)}`);
  print(`found:    ${visibleText(path ?? 'nothing')}`);
  print(`reason:   ${visibleText(reason)}`);
  if (binding !== null)
    print(
      `addon:    version ${binding.version}, ${binding.cpuFeatures().kernels} kernels, ${binding.maxWorkers()} workers`,
    );
}

function runBuild() {
  const { missing, tools } = describeToolchain();
  if (missing.length > 0) {
    note(
      `colkit-native: ${missing.join(' and ')} not found: install ${missing.length > 1 ? 'them' : 'it'} and run ` +
        'this again. Without the addon everything works in pure TypeScript.',
    );
    process.exitCode = 1;
    return;
  }
  const path = visibleText(binaryPath);
  try {
    print(build(tools).built ? `built ${path}` : `up to date: ${path}`);
  } catch (error) {
    note(error.message);
    process.exitCode = 1;
  }
}
