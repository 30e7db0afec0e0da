import { functionsWithOptions } from '@colkit/testkit/functions-with-options';
import { acceptedOptions } from '@colkit/testkit/refused-options';
import type { CallWithOptions } from '@colkit/testkit/refused-options';
import { expect, test } from 'vitest';
import * as s3 from '../src/index.ts';

test('the public surface', () => {
  expect(Object.keys(s3).sort()).toEqual(['S3Store', 's3Store']);
});

const store = s3.s3Store({ bucket: 'bucket', endpoint: 'http://127.0.0.1:9', retry: false });
const CALLS: Readonly<Record<string, CallWithOptions>> = {
  'S3Store#create': (options) => store.create('x', options),
  'S3Store#list': (options) => store.list('', options).next(),
  'S3Store#open': (options) => store.open('x', options),
  'S3Store#putIfAbsent': (options) => store.putIfAbsent('x', Uint8Array.of(1), options),
  'S3Store#read': (options) => store.read('x', options),
  'S3Store#delete': (options) => store.delete('x', options),
  'new S3Store': (options) => new s3.S3Store(options as s3.S3StoreOptions),
  s3Store: (options) => s3.s3Store(options as s3.S3StoreOptions),
};

test('these are all functions that take options', () => {
  expect(functionsWithOptions(new URL('../src/index.ts', import.meta.url))).toEqual(Object.keys(CALLS).sort());
});

test.each(Object.entries(CALLS))('%s', async (_, call) => {
  expect(await acceptedOptions(call)).toEqual([]);
});
