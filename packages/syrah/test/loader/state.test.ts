import { expect, test } from 'vitest';
import { checkSameDataset, checkSameOptions, parseState } from '../../src/loader/state.ts';
import type { LoaderState } from '../../src/loader/state.ts';

const state: LoaderState = {
  kind: 'syrah-loader-state',
  version: 2,
  epoch: 2,
  batchesDone: 5,
  start: 0,
  batchSize: 4,
  shuffle: true,
  blocks: null,
  seed: 7,
  dropLast: false,
  rank: 0,
  worldSize: 1,
  tail: 'pad',
  collate: '{"kind":"stack"}',
  cast: null,
  sampler: null,
  batchSampler: null,
  processModule: false,
  fingerprint: 'abc',
};

test('survives JSON', () => {
  expect(parseState(JSON.parse(JSON.stringify(state)))).toEqual(state);
});

test.each<[string, unknown]>([
  ['null', null],
  ['text', 'state'],
  ['another object', {}],
  ['another version', { ...state, version: 3 }],
  ['a negative epoch', { ...state, epoch: -1 }],
  ['half a batch', { ...state, batchesDone: 0.5 }],
  ['no batch size', { ...state, batchSize: 0 }],
  ['a tail', { ...state, tail: 'wrap' }],
  ['a flag', { ...state, shuffle: 1 }],
  ['a fingerprint', { ...state, fingerprint: 5 }],
  ['a sampler', { ...state, sampler: 5 }],
  ['a start', { ...state, start: -1 }],
  ['blocks', { ...state, blocks: 256 }],
])('%s is refused', (_, bad) => {
  expect(() => parseState(bad)).toThrow(/^state: expected/);
});

test('a state of version 1 has no start, blocks and batch sampler', () => {
  const { start, blocks, batchSampler, ...old } = { ...state, version: 1 };
  expect(parseState(old)).toEqual({ ...state, start, blocks, batchSampler });
});

test.each([
  'shuffle',
  'blocks',
  'seed',
  'dropLast',
  'tail',
  'collate',
  'sampler',
  'batchSampler',
  'processModule',
] as const)('another %s is refused by name', (name) => {
  expect(() => checkSameOptions(state, { ...state, [name]: 'other' })).toThrow(
    new RegExp(`^${name}: expected .*, as in the state but found "other"`),
  );
  expect(() => checkSameOptions(state, state)).not.toThrow();
});

test('another dataset is refused', () => {
  expect(() => checkSameDataset(state, 'abd', 'dataset')).toThrow(
    expect.objectContaining({ name: 'IoError', code: 'ERR_FILE_CHANGED' }),
  );
  expect(() => checkSameDataset(state, 'abc', 'dataset')).not.toThrow();
});
