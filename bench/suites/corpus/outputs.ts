// Arrow tables as arrays that are the same for all peers, row by row: numbers as they are (null is 0), booleans as
// bytes, texts as bytes with their lengths, and for columns that have nulls which rows they are in.
import { DataType } from 'apache-arrow';
import type { Table, Vector } from 'apache-arrow';
import type { Outputs } from '../../src/checkouts/peer.ts';

export function arrowOutputs(table: Table): Outputs {
  const outputs: Record<string, ArrayBufferView> = {};
  for (const { name } of table.schema.fields) {
    const column = table.getChild(name) as Vector;
    const valid = Uint8Array.from({ length: column.length }, (_, row) => (column.isValid(row) ? 1 : 0));
    outputs[`${name} valid`] = valid;
    if (DataType.isUtf8(column.type)) {
      const texts = textsOf(column);
      outputs[`${name} characters`] = Int32Array.from(texts, characters);
      outputs[name] = Buffer.concat(texts);
    } else if (DataType.isBool(column.type)) {
      outputs[name] = Uint8Array.from({ length: column.length }, (_, row) => (column.get(row) === true ? 1 : 0));
    } else outputs[name] = numbersOf(column, valid);
  }
  return outputs;
}

/** Their bytes: what the library makes strings of lacks a U+FEFF in front. Of a null none. */
function textsOf(column: Vector): Uint8Array[] {
  return column.data.flatMap((chunk) => {
    const [bytes, offsets] = [chunk.values as Uint8Array, chunk.valueOffsets as Int32Array];
    return Array.from({ length: chunk.length }, (_, row) =>
      chunk.getValid(row) ? bytes.subarray(offsets[row], offsets[row + 1]) : bytes.subarray(0, 0),
    );
  });
}

/** Code points: bytes that continue none. */
function characters(text: Uint8Array): number {
  let count = 0;
  for (const byte of text) if ((byte & 0xc0) !== 0x80) count += 1;
  return count;
}

type Numbers = Float64Array | BigInt64Array | Int32Array;

/** Chunk by chunk, so that moments keep their microseconds. */
function numbersOf(column: Vector, valid: Uint8Array): Numbers {
  const chunks = column.data.map((chunk) => (chunk.values as Numbers).subarray(0, chunk.length));
  const [first = new Float64Array()] = chunks;
  const all = new (first.constructor as new (length: number) => Numbers)(column.length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk as never, at);
    at += chunk.length;
  }
  valid.forEach((isValid, row) => {
    if (isValid === 0) all[row] = (all instanceof BigInt64Array ? 0n : 0) as never;
  });
  return all;
}

/** What opening tells of a table. */
export function openOutputs(rowCount: number, names: readonly string[]): Outputs {
  return { metadata: new TextEncoder().encode(JSON.stringify([rowCount, names])) };
}

/** Sums by key, in the order of the keys' texts; sums of floats in another order differ in the last bits. */
export function groupOutputs(keys: readonly unknown[], totals: readonly unknown[]): Outputs {
  const groups = keys.map((key, i) => [key === null ? '' : `=${String(key)}`, Number(totals[i] ?? 0)] as const);
  groups.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return {
    keys: new TextEncoder().encode(groups.map(([key]) => key).join('\n')),
    totals: Float64Array.from(groups, ([, total]) => Number(total.toPrecision(12))),
  };
}
