// Results as digests: what lets a JavaScript loop, a native kernel and a Python process be compared before any of them
// is timed.
import { crc32 } from 'node:zlib';
import type { Outputs } from '../checkouts/peer.ts';
import type { OutputDigest } from '../run/protocol.ts';

/** Adds one result to the digests so far: names sorted, bytes chained. */
export function addToDigests(digests: readonly OutputDigest[], outputs: Outputs): OutputDigest[] {
  const before = new Map(digests.map((digest) => [digest.name, digest]));
  return Object.keys(outputs)
    .sort()
    .map((name) => {
      const array = outputs[name] as ArrayBufferView;
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      const previous = before.get(name);
      return {
        name,
        byteLength: (previous?.byteLength ?? 0) + bytes.length,
        crc32: crc32(bytes, previous?.crc32 ?? 0),
      };
    });
}

/** One text that is equal exactly where the results are. */
export function digestText(digests: readonly OutputDigest[]): string {
  return digests
    .map(({ name, byteLength, crc32: crc }) => `${name}:${byteLength}:${crc.toString(16).padStart(8, '0')}`)
    .join(' ');
}

/** Two or more candidates gave different results: nothing may be timed. */
export class UnequalResultsError extends Error {
  constructor(task: string, groups: ReadonlyMap<string, readonly string[]>) {
    const lines = [...groups].map(([text, candidates]) => `  ${text}  <- ${candidates.join(', ')}`);
    super(`task ${task}: the results are not equal, so nothing is timed:\n${lines.join('\n')}`);
    this.name = 'UnequalResultsError';
  }
}

/**
 * Asserts that all candidates computed the same.
 * @param expected the digest of an earlier run over the same data, or null.
 * @returns the digest that all share; null where there is none to compare.
 * @throws UnequalResultsError naming who computed what.
 */
export function assertEqualResults(
  task: string,
  digests: ReadonlyMap<string, readonly OutputDigest[]>,
  expected: string | null,
): string | null {
  const groups = new Map<string, string[]>();
  if (expected !== null) groups.set(expected, ['an earlier run']);
  for (const [candidate, digest] of digests) {
    const text = digestText(digest);
    groups.set(text, [...(groups.get(text) ?? []), candidate]);
  }
  if (groups.size > 1) throw new UnequalResultsError(task, groups);
  return groups.keys().next().value ?? null;
}
