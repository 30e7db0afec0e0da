// Each public function that takes options refuses those that it does not know. A new one must come here.
import { expect, test } from 'vitest';
import * as browser from '../../src/browser.ts';
import {
  HttpSource,
  MappedSource,
  MemorySource,
  allocateOutputs,
  copyRanges,
  copyRangesSync,
  createGatherer,
  openFileSink,
  openFileSinkSync,
  openSource,
  openSourceSync,
  pageDecoder,
} from '@colkit/io';
import * as durable from '@colkit/io/durable';
import { functionsWithOptions } from '../../../testkit/src/options/functions-with-options.ts';
import { acceptedOptions } from '../../../testkit/src/options/refused-options.ts';
import type { CallWithOptions } from '../../../testkit/src/options/refused-options.ts';
import { thrownBy } from '../support/thrown.ts';

const path = new URL(import.meta.url).pathname;
const source = new MemorySource(new Uint8Array(8));
const segments = { rowStarts: new Float64Array([0, 1]), itemBytes: new Int32Array([8]), bases: new Float64Array([0]) };
const request = {
  offsets: new Float64Array(0),
  lengths: new Float64Array(0),
  out: new Uint8Array(0),
  outOffsets: new Float64Array(0),
  workers: 0,
};

const CALLS: Readonly<Record<string, CallWithOptions>> = {
  'HttpSource.open': (options) => HttpSource.open('http://127.0.0.1:1/x', options),
  'MappedSource.open': (options) => MappedSource.open(path, options),
  'MappedSource.openSync': (options) => MappedSource.openSync(path, options),
  allocateOutputs: (options) => allocateOutputs([8], options),
  copyRanges: (options) => copyRanges(source, request, options),
  copyRangesSync: (options) => {
    copyRangesSync(source, request, options);
  },
  createGatherer: (options) => createGatherer(source, segments as never, options),
  openFileSink: (options) => openFileSink('/nowhere/x', options),
  openFileSinkSync: (options) => openFileSinkSync('/nowhere/x', options),
  openSource: (options) => openSource(path, options),
  openSourceSync: (options) => openSourceSync(path, options),
  pageDecoder: (options) => pageDecoder(source, options),
};

const IN_BROWSERS: Readonly<Record<string, CallWithOptions>> = {
  'HttpSource.open': (options) => browser.HttpSource.open('http://127.0.0.1:1/x', options),
  allocateOutputs: (options) => browser.allocateOutputs([8], options),
  openSource: (options) => browser.openSource(new Uint8Array(8), options),
  openSourceSync: (options) => browser.openSourceSync(new Uint8Array(8), options),
};

const OF_DURABLE_FILES: Readonly<Record<string, CallWithOptions>> = {
  'FolderStore#list': (options) => new durable.FolderStore('/nowhere').list('', options).next(),
  'FolderStore#putIfAbsent': (options) =>
    new durable.FolderStore('/nowhere').putIfAbsent('a', new Uint8Array(1), options),
  'FolderStore#read': (options) => new durable.FolderStore('/nowhere').read('a', options),
  writeThroughFile: (options) => durable.writeThroughFile(new durable.FolderStore('/nowhere'), 'a', () => 0, options),
  'new FolderStore': (options) => new durable.FolderStore('/nowhere', options),
  openFileSink: (options) => durable.openFileSink('/nowhere/x', options),
  openFileSinkSync: (options) => durable.openFileSinkSync('/nowhere/x', options),
  reserve: (options) => durable.reserve('/nowhere/x', options).run(),
};

test('these are all functions that take options', () => {
  expect(functionsWithOptions(new URL('../../src/index.ts', import.meta.url))).toEqual(Object.keys(CALLS).sort());
  expect(functionsWithOptions(new URL('../../src/browser.ts', import.meta.url))).toEqual(
    Object.keys(IN_BROWSERS).sort(),
  );
  expect(functionsWithOptions(new URL('../../src/durable.ts', import.meta.url))).toEqual(
    Object.keys(OF_DURABLE_FILES).sort(),
  );
});

test.each(Object.entries(CALLS))('%s', async (_, call) => {
  expect(await acceptedOptions(call)).toEqual([]);
});

test.each(Object.entries(IN_BROWSERS))('%s of browsers', async (_, call) => {
  expect(await acceptedOptions(call)).toEqual([]);
});

test.each(Object.entries(OF_DURABLE_FILES))('%s of durable files', async (_, call) => {
  expect(await acceptedOptions(call)).toEqual([]);
});

test.each([{ to: 'grow ' }, { to: 7 }, { durable: 'full' }, { force: 1 }, { operations: 'fs' }])(
  'reserve refuses %o at once',
  (options) => {
    const call = (): unknown => durable.reserve('/nowhere/x', { to: 'new', durable: false, ...options } as never);
    expect(thrownBy(call)).toMatchObject({ name: 'ArgumentError', argument: Object.keys(options)[0] });
  },
);
