// Pages by themselves: a random tree of encodings behind a header that is right.
import { join, viewOf } from '../run/bytes.ts';
import type { Random } from '../run/random.ts';
import { PAGE_HEADER_BYTES, withBody } from './columna-file.ts';
import { randomNode, randomValidity } from './columna-node.ts';

/** By type id; 0: byte strings. */
export const ITEM_BYTES = [1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 8, 0, 0];
const FIXED_TYPES = 13;

/** A page of a type of fixed width, or of texts, of at most so many rows. */
export function randomPage(random: Random, mostRows: number, hasTexts = false): Uint8Array {
  const header = new Uint8Array(PAGE_HEADER_BYTES);
  header[21] = hasTexts ? FIXED_TYPES + random.integer(ITEM_BYTES.length - FIXED_TYPES) : random.integer(FIXED_TYPES);
  return fillPage(random, header, 1 + random.integer(mostRows));
}

/** The header's page with other rows, some of them null perhaps, in a random tree. */
export function fillPage(random: Random, given: Uint8Array, rows: number): Uint8Array {
  const header = given.slice(0, PAGE_HEADER_BYTES);
  const nullable = random.integer(3) === 0 ? randomValidity(random, rows) : null;
  const isMixed = nullable !== null && nullable.valueCount > 0 && nullable.valueCount < rows;
  const values = isMixed ? nullable.valueCount : rows;
  const node = randomNode(random, values, ITEM_BYTES[header[21] ?? 0] ?? 8);
  viewOf(header).setUint32(12, rows, true);
  viewOf(header).setUint32(16, values, true);
  header.set([node.encoding, node.parameter, 0], 22);
  const body = isMixed ? join([nullable.node, node.body]) : node.body;
  return withBody(header, body, body.length);
}
