// What a node of byte strings that may lie gives, shared by the tests of their encodings.
import { isColkitError } from '@colkit/io';
import { expect } from 'vitest';
import { stringAt } from '../../src/columns/byte-strings.ts';
import { decoderFor, rootNode } from './nodes.ts';

/**
 * Some of its strings, in the order in which they are asked for (all, by default), or the code of the error that
 * refuses it, before memory is taken.
 */
export function textsOfNode(
  bytes: Uint8Array,
  encoding: number,
  count: number,
  strings: readonly number[] = [...Array(count).keys()],
  parameter = 0,
): readonly string[] | string {
  const before = process.memoryUsage().arrayBuffers;
  try {
    const root = rootNode(bytes, encoding, parameter, count, 'string');
    const found = decoderFor(bytes, 'string').strings(root, 0, count);
    if (found.kind !== 'strings') return found.kind;
    return strings.map((string) => Buffer.from(stringAt(found, string)).toString());
  } catch (error) {
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 << 20);
    if (isColkitError(error)) return error.code;
    throw error;
  }
}
