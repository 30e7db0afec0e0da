import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { create } from 'syrah';

const writer = await create('one.syr');
await writer.addItem({ x: Int8Array.of(7) });
await writer.close();

const bytes = readFileSync('one.syr');
assert.equal(
  bytes.subarray(0, 30).toString('hex'),
  ['475300000200', '1700000000000000', '4500000000000000', '07', '45000000', '037800'].join(''),
);
assert.equal(bytes.length, 23 + 69);
