// Whether a call that returned gave the right answer, by the plainest reading of the declarations in native/index.d.ts.
// Calls whose arguments share memory are passed over.
import type { Mapping } from '@colkit/native';
import { rawAnswer } from './answers-raw.ts';
import type { Fixture } from './fixture.ts';
import { FILE_BYTES, SEGMENT_ROWS, itemOf } from './fixture.ts';

/** What is wrong with it, or null. */
export function answerOf(name: string, given: readonly unknown[], value: unknown, fixture: Fixture): string | null {
  if (sharesMemory(given) || isGone(given)) return null;
  switch (name.replace(/Sync$/, '')) {
    case 'mappingByteLength':
    case 'currentFileSize':
      return value === FILE_BYTES ? null : `${String(value)} bytes`;
    case 'window':
      return equal(
        new Uint8Array(value as ArrayBuffer),
        fixture.bytes.subarray(given[1] as number, (given[1] as number) + (given[2] as number)),
      );
    case 'read':
      return equal(
        octets(given[2]),
        fixture.bytes.subarray(given[1] as number, (given[1] as number) + octets(given[2]).length),
      );
    case 'copyRanges':
      return copied(given, fixture.bytes);
    case 'gather':
      return gathered(given, fixture.bytes);
    case 'selectWithin':
      return selected(given, value);
    case 'sumByCode':
      return null;
    case 'spreadTexts':
      return spread(given, value as number);
    case 'bestTexts':
      return best(given);
    case 'numberTexts':
      return numbered(given, value as number);
    case 'allocatePooled':
      // Null where the pool gave enough in this turn of the event loop.
      return value === null || (value as ArrayBuffer).byteLength === given[0]
        ? null
        : `${String((value as ArrayBuffer).byteLength)} bytes`;
    case 'runRaw':
      return rawAnswer(given[1] as Float64Array, octets(given[2]), octets(given[3]), given[4] as Float64Array, fixture);
    case 'shrinkMapping':
      return fixture.binding.mappingByteLength(given[0] as Mapping) === given[1] ? null : 'another length';
    case 'joinMappings':
      return joined(given[0] as readonly unknown[], value as Mapping, fixture);
    case 'lockFile':
      // Descriptors of the caller's are taken too, of which others may have the lock.
      return value === 'locked' || (given[0] !== fixture.fd && (value === 'held' || value === 'unsupported'))
        ? null
        : `${String(value)} for a file that nobody else has open`;
    case 'advise':
      return typeof value === 'boolean' ? null : `${String(value)} is no boolean`;
    default:
      return null;
  }
}

/** A byte of each of the files, through segments over the joined mapping: as they stand in the file. */
function joined(parts: readonly unknown[], mapping: Mapping, { binding, bytes }: Fixture): string | null {
  const numbers = Array.from(parts.keys());
  const offsets = numbers.map((k) => 1000 + 77 * k);
  const segments = binding.createSegments(
    mapping,
    Float64Array.from([0, ...numbers.map((k) => k + 1)]),
    Int32Array.of(1),
    Float64Array.from(offsets, (offset, k) => offset - k),
    Int32Array.from(numbers),
  );
  const out = new Uint8Array(parts.length);
  binding.gatherSync(
    segments,
    Int32Array.of(0),
    { kind: 'range', start: 0, step: 1, count: out.length },
    [out],
    null,
    1,
  );
  binding.closeMapping(mapping);
  return equal(
    out,
    Uint8Array.from(offsets, (offset) => bytes[offset] ?? 0),
  );
}

function octets(view: unknown): Uint8Array {
  const { buffer, byteOffset, byteLength } = ownView(view as ArrayBufferView);
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** What the array is, whatever properties somebody gave it. */
function ownView(view: ArrayBufferView): ArrayBufferView {
  const prototype: object =
    view instanceof DataView ? DataView.prototype : (Object.getPrototypeOf(Uint8Array.prototype) as object);
  const get = (key: string): unknown => Object.getOwnPropertyDescriptor(prototype, key)?.get?.call(view);
  return {
    buffer: get('buffer') as ArrayBuffer,
    byteOffset: get('byteOffset') as number,
    byteLength: get('byteLength') as number,
  };
}

function sharesMemory(given: readonly unknown[]): boolean {
  const buffers = given
    .flatMap((each): unknown[] =>
      Array.isArray(each) ? (each as unknown[]).slice(0, 100) : isRows(each) ? [each.indices ?? each.mask] : [each],
    )
    .filter((each) => ArrayBuffer.isView(each))
    .map((each) => ownView(each).buffer);
  return new Set(buffers).size < buffers.length;
}

/** Whether memory went away: by a getter behind the call, or as a resizable buffer became too short for its array. */
function isGone(given: readonly unknown[]): boolean {
  return given.some((each) => ArrayBuffer.isView(each) && ownView(each).byteLength === 0);
}

function isRows(value: unknown): value is {
  readonly kind: string;
  readonly indices?: ArrayLike<number | bigint>;
  readonly mask?: Uint8Array;
  readonly start: number;
  readonly step: number;
  readonly count: number;
} {
  try {
    return typeof value === 'object' && value !== null && 'kind' in value;
  } catch {
    return false;
  }
}

function equal(found: Uint8Array, expected: Uint8Array): string | null {
  return Buffer.compare(found, expected) === 0
    ? null
    : `bytes ${String(found.slice(0, 20))}… instead of ${String(expected.slice(0, 20))}…`;
}

function copied(given: readonly unknown[], bytes: Uint8Array): string | null {
  const [, offsets, lengths, out, indexes] = given as [unknown, Float64Array, Float64Array, unknown, Float64Array];
  const found = octets(out);
  // Ranges that lie over each other may be copied in any order.
  let end = 0;
  for (const [k, length] of lengths.entries()) {
    if ((indexes[k] ?? 0) < end) return null;
    end = (indexes[k] ?? 0) + length;
  }
  for (const [k, offset] of offsets.entries()) {
    const [index = 0, length = 0] = [indexes[k], lengths[k]];
    const wrong = equal(found.subarray(index, index + length), bytes.subarray(offset, offset + length));
    if (wrong !== null) return `range ${String(k)}: ${wrong}`;
  }
  return null;
}

function gathered(given: readonly unknown[], bytes: Uint8Array): string | null {
  const [, columns, rows, outs, layout] = given as [unknown, Int32Array, unknown, readonly unknown[], unknown];
  if (layout !== null && layout !== undefined) return null;
  const numbers = rowsOf(rows);
  for (const [k, column] of columns.entries()) {
    const found = octets(outs[k]);
    const width = itemOf(bytes, column, 0).length;
    for (const [index, row] of numbers.entries()) {
      const wrong = equal(found.subarray(index * width, (index + 1) * width), itemOf(bytes, column, row));
      if (wrong !== null) return `row ${String(row)} of column ${String(column)}: ${wrong}`;
    }
  }
  return null;
}

function rowsOf(rows: unknown): number[] {
  if (!isRows(rows)) return listed(rows as ArrayLike<number | bigint>).map(wrapped);
  if (rows.kind === 'indices') return listed(rows.indices ?? []).map(wrapped);
  if (rows.kind === 'mask') return listed(rows.mask ?? []).flatMap((byte, row) => (byte === 0 ? [] : [row]));
  return Array.from({ length: rows.count }, (_, k) => rows.start + k * rows.step);
}

function listed<T>(values: ArrayLike<T>): T[] {
  try {
    return Array.from(values);
  } catch {
    // An array whose buffer was transferred has no iterator.
    return [];
  }
}

function wrapped(index: number | bigint): number {
  return Number(index) < 0 ? Number(index) + SEGMENT_ROWS : Number(index);
}

function spread(given: readonly unknown[], value: number): string | null {
  // Bytes may come in any view.
  const [bytes, out] = [octets(given[0]), octets(given[4])];
  const [, start, ends, codes, , at, outEnds] = given as [
    unknown,
    number,
    Uint32Array,
    Uint32Array,
    unknown,
    number,
    Uint32Array,
  ];
  const rows = Array.from(codes, (code) =>
    code === 2 ** 32 - 1 ? new Uint8Array(0) : bytes.subarray(code === 0 ? start : ends[code - 1], ends[code]),
  );
  const last = rows.reduce((end, text) => end + text.length, at);
  if (value !== last) return `an end of ${value}`;
  // Of more than 32 bits no end is told.
  if (last >= 2 ** 32) return null;
  let end = at;
  for (const [row, text] of rows.entries())
    if (outEnds[row] !== (end += text.length)) return `row ${row} ends elsewhere`;
  return end > out.length ? null : equal(out.subarray(at, end), Uint8Array.from(rows.flatMap((text) => [...text])));
}

type TextArguments = [bytes: unknown, start: number, ends: Uint32Array];

function textsOf([bytes, start, ends]: TextArguments): string[] {
  const all = Buffer.from(octets(bytes));
  return Array.from(ends, (end, i) => all.toString('latin1', i === 0 ? start : ends[i - 1], end));
}

function best(given: readonly unknown[]): string | null {
  const [, , , codes, groups, most, found] = given as [
    ...TextArguments,
    Uint32Array | null,
    Uint32Array | null,
    number,
    Uint32Array,
  ];
  const texts = textsOf(given as TextArguments);
  const rows = Array.from(codes ?? texts.keys(), (code) => texts[code]);
  for (const [group, code] of found.entries()) {
    const of = rows.filter((text, row) => text !== undefined && (groups === null || groups[row] === group)).sort();
    const expected = groups === null && group > 0 ? undefined : of.at(most === 1 ? -1 : 0);
    if (texts[code] !== expected) return `text ${String(code)} for group ${String(group)}`;
  }
  return null;
}

function numbered(given: readonly unknown[], done: number): string | null {
  const [first, numbers, facts] = [given[3], given[4], given[8]] as [number, Uint32Array, Uint32Array];
  // What slots held before is anybody's.
  if (first !== 0) return null;
  const texts = textsOf(given as TextArguments).slice(0, done);
  const distinct = [...new Set(texts)];
  if (facts[0] !== distinct.length) return null;
  const wrong = texts.findIndex((text, i) => distinct.indexOf(text) !== numbers[i]);
  return wrong === -1 ? null : `${String(numbers[wrong])} for text ${String(wrong)}`;
}

function selected(given: readonly unknown[], value: unknown): string | null {
  const [numbers, first, distance, indexes] = given as [Uint32Array, number, number, Uint32Array];
  const expected = Array.from(numbers).flatMap((number, index) => ((number - first) >>> 0 <= distance ? [index] : []));
  if (value !== expected.length) return `${String(value)} rows instead of ${String(expected.length)}`;
  return equal(octets(indexes.slice(0, expected.length)), octets(Uint32Array.from(expected)));
}
