// RLE: the value and the length of every run, each a node of its own.
import type { EncodingReader, EncodingWriter } from '../../encoding.ts';
import type { Domain } from '../../../layout/column-type.ts';
import { Encoding } from '../../../layout/constants.ts';
import { DECODING_RATES } from '../decoding-rates.ts';
import type { Chooser, Source } from '../../chooser.ts';
import { NodeReader, childBytes } from '../../node.ts';
import type { Decoder, Node, SizedNode } from '../../node.ts';
import { pickVector } from '../../pick.ts';
import { foundAtMost, writeKernels } from '../../kernels/write-kernels.ts';
import { narrowSource, pickSource } from '../../source.ts';
import type { Vector } from '../../vector.ts';

/** Null where there are more runs than `mostRuns`. */
export function size(source: Source, chooser: Chooser, mostRuns: number): SizedNode | null {
  const starts = runStarts(source, mostRuns);
  if (starts === null) return null;
  const lengths = new Uint32Array(starts.length);
  for (let run = 0; run < starts.length; run++)
    lengths[run] = (starts[run + 1] ?? source.count) - (starts[run] as number);
  const valueNode = chooser.integers(pickSource(source, starts), 'values');
  const lengthNode = chooser.integers(narrowSource(lengths), 'lengths');
  return {
    encoding: Encoding.RLE,
    parameter: 0,
    byteLength: 8 + childBytes(valueNode) + childBytes(lengthNode),
    label: `RLE(${valueNode.label}, ${lengthNode.label})`,
    time:
      valueNode.time + lengthNode.time + starts.length * DECODING_RATES.run + source.count * DECODING_RATES.repeated,
    encode: (out) => {
      out.uint32(starts.length);
      out.uint32(0);
      out.child(valueNode);
      out.child(lengthNode);
    },
  };
}

function runStarts(source: Source, mostRuns: number): Uint32Array | null {
  const { count } = source;
  const most = Math.min(count, mostRuns);
  const words = source.kind === 'wide' ? source.words : null;
  const values = source.kind === 'narrow' ? source.values : null;
  const kernels = values === null ? null : writeKernels(count);
  if (kernels !== null && values !== null) return foundAtMost(most, (room) => kernels.runStarts(values, room));
  const starts = new Uint32Array(most);
  let runs = 0;
  for (let i = 0; i < count; i++) {
    const same =
      i > 0 &&
      (values !== null
        ? values[i] === values[i - 1]
        : words !== null && words[2 * i] === words[2 * i - 2] && words[2 * i + 1] === words[2 * i - 1]);
    if (same) continue;
    if (runs === mostRuns) return null;
    starts[runs++] = i;
  }
  return starts.subarray(0, runs);
}

/**
 * The parts of an RLE node: the values, not decoded yet, and the lengths, which are above 0 and add up to the node's
 * count.
 */
interface Runs {
  readonly runCount: number;
  readonly values: Node;
  readonly lengths: Uint32Array;
}

function openRuns(node: Node, decoder: Decoder): Runs {
  const reader = new NodeReader(decoder, node);
  const runCount = reader.count(node.count, 'runs');
  reader.take(4, 'ignored bytes');
  const values = reader.child(runCount, node.domain);
  const lengthNode = reader.child(runCount);
  reader.end();
  const lengths = decoder.numbers(lengthNode, 0, runCount, node.count + 1, 'a run length');
  let sum = 0;
  for (let run = 0; run < runCount; run++) {
    if (lengths[run] === 0) throw reader.refuse('run lengths above 0', 0);
    sum += lengths[run] as number;
  }
  if (sum !== node.count) throw reader.refuse(`run lengths of ${node.count} together`, sum);
  return { runCount, values, lengths };
}

/** The values at `rows` alone, in any order. */
function decodeRows(node: Node, rows: Uint32Array, decoder: Decoder): Vector {
  const { runCount, values: valueNode, lengths } = openRuns(node, decoder);
  const ends = decoder.scratch.uint32(runCount);
  let sum = 0;
  for (let run = 0; run < runCount; run++) {
    sum += lengths[run] as number;
    ends[run] = sum;
  }
  const runs = decoder.scratch.uint32(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    let [low, high] = [0, runCount - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] as number) > row) high = middle;
      else low = middle + 1;
    }
    runs[i] = low;
  }
  return decoder.pick(valueNode, runs);
}

function decodeRange(node: Node, start: number, end: number, decoder: Decoder): Vector {
  const { runCount, values: valueNode, lengths } = openRuns(node, decoder);
  const domain: Domain = node.domain;
  let sum = 0;
  let firstRun = 0;
  let lastRun = runCount;
  let firstStart = 0;
  for (let run = 0; run < runCount; run++) {
    if (sum <= start) {
      firstRun = run;
      firstStart = sum;
    }
    if (sum < end) lastRun = run + 1;
    sum += lengths[run] as number;
  }
  const count = end - start;
  const values = decoder.vector(valueNode, firstRun, lastRun);
  // Row -> run, or for small numbers row -> value at once.
  const narrow = values.kind === 'narrow' ? values : null;
  const out = decoder.scratch.uint32(count);
  let to = 0;
  let rowEnd = firstStart - start;
  for (let run = firstRun; run < lastRun; run++) {
    rowEnd += lengths[run] as number;
    const value = narrow === null ? run - firstRun : (narrow.values[run - firstRun] as number);
    for (const stop = Math.min(count, rowEnd); to < stop; to++) out[to] = value;
  }
  return narrow === null ? pickVector(values, out, domain, decoder.scratch) : { ...narrow, count, values: out };
}

/** What is true of runs, for their values. */
function expandRuns(ofRuns: Uint8Array, lengths: Uint32Array, mask: Uint8Array): Uint8Array {
  for (let run = 0, at = 0; run < ofRuns.length; run++) {
    const end = at + (lengths[run] as number);
    if (ofRuns[run] === 1) mask.fill(1, at, end);
    at = end;
  }
  return mask;
}

export const runLength: EncodingReader = {
  name: 'RLE',
  decode: decodeRange,
  pick: decodeRows,
  test: (node, decoder, test) => {
    const { runCount, values, lengths } = openRuns(node, decoder);
    return expandRuns(test.node({ ...values, count: runCount }), lengths, decoder.scratch.zeros(node.count));
  },
};

export const runLengthWriter: EncodingWriter = {
  label: (reader, child) => {
    reader.take(8, 'a count');
    const values = child();
    return `RLE(${values}, ${child()})`;
  },
  roles: ['root', 'gaps', 'values', 'codes', 'octets'],
  // Fewer than two values a run store less than the values themselves in no case worth its overhead.
  offer: (source, { chooser, forced }) => size(source, chooser, forced ? source.count : source.count >>> 1),
};
