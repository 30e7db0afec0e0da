// Where the elements of a document lie: the package's own parser, in Node.
import { onDemand } from 'bson';

/** Type, where the name is and how long, where the value is and how long; `bytes` are sound. */
export type BsonPosition = readonly [
  type: number,
  nameOffset: number,
  nameLength: number,
  offset: number,
  length: number,
];

export function elementsAt(bytes: Uint8Array, start: number): Iterable<BsonPosition> {
  return onDemand.parseToElements(bytes, start);
}
