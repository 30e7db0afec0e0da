// Sizes every encoding that applies to a page's values, children included, and keeps the cheapest: bytes, and decoding
// time at the mode's price. The losers and their sizes are reported.
import { ArgumentError } from '@colkit/io';
import { costOf } from '../../columns/chooser.ts';
import type { Candidate, Chooser, Role, Rules, Source } from '../../columns/chooser.ts';
import * as bits from '../../columns/encodings/bits/index.ts';
import * as decimal from '../../columns/encodings/decimal/index.ts';
import { ENCODINGS } from '../../columns/encodings/index.ts';
import * as patched from '../../columns/encodings/patched/index.ts';
import * as plain from '../../columns/encodings/plain/index.ts';
import type { SizedNode } from '../../columns/node.ts';
import { giveBack } from '../../columns/kernels/lent-words.ts';
import { giveBackSource, pickSource, sourceOfNumbers, sourceOfWords } from '../../columns/source.ts';
import { KnownLosers } from './known-losers.ts';
import type { Losers, Tried } from './known-losers.ts';
import { ENCODING_NAMES, Encoding } from '../../layout/constants.ts';
import type { EncodingName } from '../../layout/constants.ts';

export interface Choice {
  readonly node: SizedNode;
  /** The chosen node, and others that DEFLATE could make smaller. */
  readonly contenders: readonly SizedNode[];
  /** All that were sized, the fewest bytes first; the chosen one is among them. */
  readonly candidates: readonly Candidate[];
}

/** Deeper than this only flat encodings are tried: DELTA in RLE in DELTA and the like gain nothing. */
const MOST_NESTED = 3;

interface ClearTexts {
  readonly encoding: 'ONPAIR' | 'BLOCKS';
  readonly cost: number;
}

/** What is sized in no time, and is what others are compared with. DEFLATE may make PLAIN the smallest. */
const ALWAYS: ReadonlySet<EncodingName> = new Set<EncodingName>(['PLAIN', 'BITPACK']);

export class EncodingChooser implements Chooser {
  readonly rules: Rules;
  readonly #forced: EncodingName | null;
  readonly #plainOnly: boolean;
  readonly #losers = new KnownLosers();
  /** How the texts of the last page were compressed, where that was clear, and what it cost a byte. */
  clearTexts: ClearTexts | null = null;
  /** What symbols cost beside blocks, of the last texts in both, is so many times what was estimated. */
  symbolsByEstimate: number | null = null;
  /** What DEFLATE did not pay for on a page of the column, by far: it is not tried on the next ones. */
  readonly notDeflated = new Set<string>();
  #depth = 0;
  #ofOwn: EncodingChooser | null = null;

  constructor(rules: Rules, forced: EncodingName | null = null, plainOnly = false) {
    this.rules = rules;
    this.#forced = forced;
    this.#plainOnly = plainOnly;
  }

  /** What comes next is another page; `kind`: what pages that are sized in the same way have in common. */
  startPage(kind: string): void {
    this.#losers.startPage(kind);
    this.#ofOwn?.startPage(kind);
  }

  /**
   * For what texts have behind the bytes that they share with the ones before: of rows at random each needs those of
   * others too, and a whole block of each.
   */
  get ofOwn(): EncodingChooser {
    return (this.#ofOwn ??= new EncodingChooser({ ...this.rules, inflatedTimes: 2 }));
  }

  get plainOnly(): boolean {
    return this.#plainOnly;
  }

  get forced(): EncodingName | null {
    return this.#forced;
  }

  integers(source: Source, role: Role): SizedNode {
    if (this.#plainOnly) return plain.size(source, null);
    this.#depth++;
    try {
      return cheapest(this.#sizeAll(source, this.#depth > MOST_NESTED ? 'deep' : role, null).nodes, this.rules);
    } finally {
      this.#depth--;
    }
  }

  /** A page of integers (also bool and dates). `itemBytes`: what PLAIN takes for an item. */
  integerPage(source: Source, itemBytes: number, bitmap: Uint8Array | null): Choice {
    if (this.#plainOnly) return this.#choose([plain.size(source, itemBytes)], []);
    const { nodes, estimates } = this.#sizeAll(source, 'root', itemBytes);
    if (bitmap !== null) nodes.push(bits.size(bitmap, this));
    return this.#choose(nodes, estimates);
  }

  /** A page of floats: their bit patterns as integers, and decimals with what is none patched. */
  floatPage(values: Float32Array | Float64Array, patterns: Source): Choice {
    const itemBytes = values.BYTES_PER_ELEMENT;
    if (this.#plainOnly) return this.#choose([plain.size(patterns, itemBytes)], []);
    const split = decimal.splitDecimals(values);
    // What can be said of decimals is said of their integers, which are smaller than their patterns in every encoding;
    // only where something else is asked for are those sized.
    const { nodes, estimates } =
      split !== null && this.#forced === null
        ? { nodes: [plain.size(patterns, itemBytes)], estimates: [] }
        : this.#sizeAll(patterns, 'root', itemBytes);
    if (split !== null) {
      const integers = sourceOfNumbers(split.integers) ?? sourceOfWords(wordsOf(split.integers), true);
      giveBack(split.integers);
      const { nodes: integerNodes } = this.#sizeAll(integers, 'root', null);
      const chosen = cheapest(integerNodes, this.rules);
      const node = decimal.size(split.exponent, chosen, values.length);
      const release = (): void => {
        chosen.release?.();
        giveBackSource(integers, split.integers);
      };
      nodes.push({
        ...(split.exceptions.length === 0
          ? node
          : patched.size(node, values.length, split.exceptions, pickSource(patterns, split.exceptions), this)),
        release,
      });
    }
    return this.#choose(nodes, estimates);
  }

  /** Entries of a dictionary page of numbers. PLAIN takes the bytes of an item, as at every root. */
  entryNode(entries: Source, itemBytes: number): SizedNode {
    return cheapest([plain.size(entries, itemBytes), ...this.#sizeAll(entries, 'values', itemBytes).nodes], this.rules);
  }

  /** From the nodes of a dictionary page's entries: the cheapest, whatever is forced on data pages. */
  entries(nodes: readonly SizedNode[]): Choice {
    const node = cheapest(nodes, this.rules);
    return {
      node,
      contenders: [node],
      candidates: nodes.map(({ label, byteLength }) => ({ encoding: label, bytes: byteLength, estimated: false })),
    };
  }

  /** From candidates that were sized elsewhere (byte strings). */
  choose(nodes: readonly SizedNode[], estimates: readonly Candidate[]): Choice {
    return this.#choose(nodes, estimates);
  }

  /** Whether PLAIN of at least so many bytes neither wins over a node nor is deflated beside it. */
  isOutdone(plainBytes: number, node: SizedNode): boolean {
    return (
      this.#forced === null &&
      costOf(node, this.rules) <= plainBytes &&
      node.byteLength <= plainBytes * leastShare(this.rules)
    );
  }

  #choose(nodes: readonly SizedNode[], estimates: readonly Candidate[]): Choice {
    const forced = this.#forced;
    const allowed =
      forced === null
        ? nodes
        : nodes.filter((node) => node.label.startsWith(forced) || node.label.startsWith(`PATCHED(${forced}`));
    if (allowed.length === 0) {
      const offered = [...new Set(nodes.map((node) => ENCODING_NAMES[node.encoding]))].join(', ');
      throw new ArgumentError('ERR_VALUE', 'encoding', `one that applies to the values (${offered})`, forced ?? 'none');
    }
    const candidates = [
      ...nodes.map(({ label, byteLength }) => ({ encoding: label, bytes: byteLength, estimated: false })),
      ...estimates,
    ].sort((a, b) => a.bytes - b.bytes);
    const node = cheapest(allowed, this.rules);
    return {
      node,
      contenders: [node, ...allowed.filter((other) => other !== node && isDeflatable(other, node, this.rules))],
      candidates,
    };
  }

  #sizeAll(source: Source, role: Role, itemBytes: number | null): { nodes: SizedNode[]; estimates: Candidate[] } {
    const wanted = role === 'root' ? this.#forced : null;
    // Where nothing but bytes counts, and for what is forced, each page is looked at alone.
    if (wanted !== null || this.rules.bytesPerNanosecond === 0 || role === 'deep')
      return this.#sizeEach(source, { role, itemBytes, wanted, place: role, losers: null });
    const place = this.#losers.placeOf(role);
    const losers = this.#losers.at(place, source.count);
    const sized = this.#sizeEach(source, { role, itemBytes, wanted, place, losers });
    return losers === null || KnownLosers.holds(losers, sized.tried, source.count)
      ? sized
      : this.#sizeEach(source, { role, itemBytes, wanted, place, losers: null });
  }

  #sizeEach(source: Source, { role, itemBytes, wanted, place, losers }: Sizing): Sized {
    const nodes: SizedNode[] = [];
    const estimates: Candidate[] = [];
    const tried: Tried[] = [];
    const passed: string[] = [];
    for (const { name, roles, offer, isSmallest } of ENCODINGS) {
      if (offer === undefined || roles?.includes(role) !== true) continue;
      const lost = isSmallest === true || ALWAYS.has(name) ? undefined : losers?.lost.get(name);
      if (lost !== undefined) {
        if (lost !== null)
          estimates.push({ encoding: lost.label, bytes: Math.ceil(lost.bytes * source.count), estimated: true });
        continue;
      }
      const node = this.#losers.within(place, name, () =>
        offer(source, {
          chooser: this,
          forced: wanted === name,
          itemBytes,
          rivals: nodes,
          estimate: (candidate) => estimates.push(candidate),
        }),
      );
      if (node === null) {
        passed.push(name);
        continue;
      }
      // What costs no less than one before it is not chosen.
      const cost = costOf(node, this.rules);
      if (wanted === null && nodes.some((other) => costOf(other, this.rules) <= cost)) node.release?.();
      nodes.push(node);
      tried.push({ name, label: node.label, cost, bytes: node.byteLength });
      if (isSmallest === true && wanted === null) return { nodes, estimates, tried };
    }
    if (losers === null) this.#losers.learn(place, source.count, tried, passed);
    return { nodes, estimates, tried };
  }
}

interface Sized {
  readonly nodes: SizedNode[];
  readonly estimates: Candidate[];
  readonly tried: readonly Tried[];
}

interface Sizing {
  readonly role: Role;
  readonly itemBytes: number | null;
  /** What is forced. */
  readonly wanted: EncodingName | null;
  readonly place: string;
  /** What is not looked at. */
  readonly losers: Losers | null;
}

/** The one of the least cost, the first of equal ones. */
function cheapest(nodes: readonly SizedNode[], rules: Rules): SizedNode {
  let best = nodes[0] as SizedNode;
  for (const node of nodes) if (costOf(node, rules) < costOf(best, rules)) best = node;
  return best;
}

function wordsOf(integers: Float64Array): Uint32Array {
  const words = new Uint32Array(2 * integers.length);
  for (let i = 0; i < integers.length; i++) {
    words[2 * i] = integers[i] as number;
    words[2 * i + 1] = Math.floor((integers[i] as number) / 2 ** 32);
  }
  return words;
}

const LEAST_DEFLATABLE = 512;

/**
 * PLAIN holds whole bytes, in which DEFLATE finds what repeats; packed numbers hide it. Worth a try where packing gains
 * little: where it leaves more than this share of the bytes.
 */
function leastShare(rules: Rules): number {
  return rules.bytesPerNanosecond === 0 ? 0.25 : 0.5;
}

function isDeflatable(node: SizedNode, best: SizedNode, rules: Rules): boolean {
  return (
    node.encoding === Encoding.PLAIN &&
    node.byteLength > LEAST_DEFLATABLE &&
    best.byteLength > node.byteLength * leastShare(rules)
  );
}
