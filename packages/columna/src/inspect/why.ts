// What lost, and by how much -> a sentence. The writer keeps the fewest bytes, except that what decodes slowly must
// earn it: see section 10 of the format's page.
import type { Candidate } from '../columns/chooser.ts';

export interface PageFacts {
  readonly encoding: string;
  /** Bytes of the encoded values. */
  readonly bytes: number;
  readonly codec: string;
  readonly bodyBytes: number;
  readonly storedBytes: number;
}

/** Why the page is as it is. `candidates`: the fewest bytes first. */
export function whySentence(
  { encoding, bytes, codec, bodyBytes, storedBytes }: PageFacts,
  candidates: readonly Candidate[],
): string {
  const others = candidates.filter((candidate) => candidate.encoding !== encoding);
  const smaller = others.filter((candidate) => candidate.bytes < bytes && !candidate.estimated);
  const next = others.find((candidate) => candidate.bytes >= bytes);
  const parts: string[] = [];
  if (others.length === 0) parts.push('the only encoding that applies');
  else if (smaller.length === 0) {
    parts.push(
      `the fewest bytes, ${count(bytes)}` +
        (next === undefined
          ? ''
          : `; next is ${next.encoding} with ${approximately(next)} (${more(next.bytes, bytes)})`),
    );
  } else {
    const best = smaller[0] as Candidate;
    const saved = `${best.encoding} takes ${percent(1 - best.bytes / bytes)} fewer bytes`;
    // DEFLATE on plain bytes can turn the order round; else speed has been paid for.
    parts.push(
      codec === 'DEFLATE'
        ? `${saved} before DEFLATE, and more than this one after it`
        : `${saved}, too few to pay for slower decoding`,
    );
  }
  if (codec === 'DEFLATE') parts.push(`DEFLATE took the page from ${count(bodyBytes)} to ${count(storedBytes)} bytes`);
  return parts.join('; ');
}

/** Why columns share a dictionary. `alone` and `together`: bytes of all of them in this row group. */
export function whyJoint(columns: readonly string[], alone: number, together: number): string {
  const names = columns.map((name) => JSON.stringify(name)).join(', ');
  if (together > alone)
    return `${names} share one list of codes: ${count(together)} bytes, and ${count(alone)} each on its own`;
  return (
    `${names} share one list of codes: ${count(together)} bytes in place of ${count(alone)} ` +
    `(${percent(1 - together / alone)} fewer)`
  );
}

function more(bytes: number, than: number): string {
  if (than === 0) return 'more';
  const ratio = bytes / than;
  return ratio < 2
    ? `${percent(ratio - 1)} more`
    : `${ratio < 10 ? ratio.toFixed(1) : count(Math.round(ratio))} times as many`;
}

function approximately({ bytes, estimated }: Candidate): string {
  return estimated ? `about ${count(bytes)}` : count(bytes);
}

function percent(share: number): string {
  return share < 0.1 ? `${(100 * share).toFixed(1)} %` : `${Math.round(100 * share)} %`;
}

function count(bytes: number): string {
  return bytes.toLocaleString('en');
}
