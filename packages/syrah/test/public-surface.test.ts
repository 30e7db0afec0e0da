// The names that users can import. A change here is a change of the package's promise.
import { expect, test } from 'vitest';
import * as syrah from '../src/index.ts';

test('exports these names', () => {
  expect(Object.keys(syrah).sort()).toEqual([
    'ArgumentError',
    'CannotViewError',
    'ClassBalancedSampler',
    'ClosedError',
    'ColkitError',
    'CorruptFileError',
    'DataLoader',
    'IoError',
    'LengthBuckets',
    'LimitError',
    'LoaderError',
    'MemorySink',
    'OutOfRangeError',
    'SampleError',
    'SyrahConcatDataset',
    'SyrahDataset',
    'SyrahFile',
    'SyrahSamples',
    'SyrahShards',
    'SyrahSubset',
    'SyrahWriter',
    'UnknownColumnError',
    'UnsupportedError',
    'WeightedSampler',
    'backendInfo',
    'create',
    'createSync',
    'isColkitError',
    'open',
    'openShards',
    'openShardsSync',
    'openSync',
    'recover',
    'recoverSync',
    'setDefaultBackend',
    'typed',
  ]);
});
