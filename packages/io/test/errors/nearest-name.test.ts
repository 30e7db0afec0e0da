import { expect, test } from 'vitest';
import { nearestName } from '@colkit/io';

const KNOWN = [
  'overwrite',
  'verify',
  'columns',
  'where',
  'batchSize',
  'workers',
  'shuffle',
  'dropLast',
  'io',
  'rowGroupSize',
  'timeoutMs',
];

test.each([
  ['overwite', 'overwrite'],
  ['verfy', 'verify'],
  ['column', 'columns'],
  ['wehre', 'where'],
  ['suffle', 'shuffle'],
  ['Shuffle', 'shuffle'],
  ['oi', 'io'],
  ['batch_size', 'batchSize'],
  ['num_workers', 'workers'],
  ['drop_last', 'dropLast'],
  ['drop-last', 'dropLast'],
  ['BATCHSIZE', 'batchSize'],
  ['row_group', 'rowGroupSize'],
  ['timout', 'timeoutMs'],
  ['num_workrs', 'workers'],
])('%s: %s was meant', (given, meant) => {
  expect(nearestName(given, KNOWN)).toBe(meant);
});

test('of names that share a word, the one with fewest slips is taken', () => {
  expect(nearestName('verfy', ['versions', 'verifyCrc'])).toBe('verifyCrc');
  expect(nearestName('limit', ['limitsOfAll', 'downloadLimit'])).toBe('downloadLimit');
  expect(nearestName('date', ['rate_usd'])).toBeNull();
});

test.each(['headers', '', 'x', '__proto__', 'a'.repeat(10_000), '🙂🙂🙂'])('nothing is near %.20s', (given) => {
  expect(nearestName(given, KNOWN)).toBeNull();
});

test('a swap of neighbours is one slip, and the first of equals is taken', () => {
  expect(nearestName('haed', ['hard', 'head'])).toBe('hard');
  expect(nearestName('haed', ['seed', 'head'])).toBe('head');
});
