// .cstore: the flat and the record layouts with their headers, manifests, records and statistics, changed in their
// numbers and JSON with every checksum right again; and what users do with a file.
import { readFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { crc32 } from '@colkit/io';
import { typed } from '@colkit/table';
import { info, open, openSync, schema, writeSync } from 'colstore';
import { alignUp, getNumber, join, mutateBlindly, mutateNumber, putCrc, putNumber, viewOf } from '../run/bytes.ts';
import type { Width } from '../run/bytes.ts';
import type { Recorder } from '../run/outcome.ts';
import { chance } from '../run/random.ts';
import type { Random } from '../run/random.ts';
import { exerciseTable } from './exercise-table.ts';
import { EDGE_FLOATS, EDGE_INTEGERS, cycle } from './format.ts';
import type { Format, Seed } from './format.ts';
import { mutateJson } from './json.ts';
import { goldenFiles } from './golden.ts';

export const COLSTORE: Format = { name: 'colstore', makeSeeds, mutate, exercise };

const RECORD_HEADER_BYTES = 32;

/**
 * What follows the magic: the counters' bytes, and how many of them their checksum covers. None in the flat layouts.
 */
interface Form {
  readonly counters: number;
  readonly covered: number;
}
const FLAT: Form = { counters: 0, covered: 0 };
const R32: Form = { counters: 32, covered: 16 };
const R64: Form = { counters: 64, covered: 24 };

function makeSeeds(folder: string): readonly Seed[] {
  const seeds: Seed[] = [...goldenFiles('colstore', 'cstore', 4000)];
  const words = BigInt64Array.from(cycle(40, EDGE_INTEGERS));
  const columns = {
    i8: Int8Array.from({ length: 40 }, (_, i) => i),
    f64: Float64Array.from(cycle(40, EDGE_FLOATS)),
    i64: words,
    u64: new BigUint64Array(words.buffer),
    b: typed('bool', cycle(40, [true, false, true])),
    t: typed('datetime64[us]', cycle(40, [0n, 1n, -(2n ** 63n)])),
    s: typed('S5', cycle(40, ['', 'abc', 'abcde'])),
    u: typed('U3', cycle(40, ['', 'é', '😀ab'])),
    f32: Float32Array.from(cycle(40, EDGE_FLOATS)),
    f16: typed('float16', cycle(40, [0, -0, 1.5, NaN])),
  };
  for (const layout of ['flat', 'records'] as const) {
    const path = joinPath(folder, `seed-${layout}.cstore`);
    writeSync(path, columns, { layout, overwrite: true });
    seeds.push({ name: layout, bytes: new Uint8Array(readFileSync(path)) });
  }
  return seeds;
}

function formOf(bytes: Uint8Array): Form {
  if (bytes[23] !== 0) return FLAT;
  return bytes.subarray(48, 56).every((byte) => byte === 0) ? R64 : R32;
}

/** Manifest, records and what follows them, of a good file. */
interface Parts {
  readonly form: Form;
  readonly counters: Uint8Array;
  readonly manifest: Uint8Array;
  /** Everything behind the padding of the manifest. */
  readonly data: Uint8Array;
  readonly dataOffset: number;
}

function parse(bytes: Uint8Array): Parts {
  const form = formOf(bytes);
  const lengthAt = 8 + form.counters;
  const manifestBytes = Number(getNumber(bytes, lengthAt, 8));
  const end = lengthAt + 8 + manifestBytes;
  const dataOffset = alignUp(end, 64);
  return {
    form,
    counters: bytes.slice(8, lengthAt),
    manifest: bytes.slice(lengthAt + 8, end),
    data: bytes.slice(dataOffset),
    dataOffset,
  };
}

function build(magic: Uint8Array, { counters, manifest, data }: Parts): Uint8Array {
  const length = new Uint8Array(8);
  putNumber(length, 0, 8, BigInt(manifest.length));
  const head = join([magic, counters, length, manifest]);
  return join([head, new Uint8Array(alignUp(head.length, 64) - head.length), data]);
}

function mutate(random: Random, { bytes }: Seed, seeds: readonly Seed[]): Uint8Array {
  if (chance(random, 0.15))
    return mutateBlindly(
      random,
      bytes,
      seeds.map((seed) => seed.bytes),
    );
  let parts = parse(bytes);
  const times = 1 + (chance(random, 0.3) ? random.integer(3) : 0);
  for (let time = 0; time < times; time += 1) parts = mutatedParts(random, parts, bytes.length);
  const built = build(bytes.slice(0, 8), parts);
  if (chance(random, 0.1)) mutateNumber(random, built, 8 + parts.form.counters, 8, [BigInt(built.length)]);
  return chance(random, 0.08) ? mutateBlindly(random, built, [bytes]) : built;
}

function mutatedParts(random: Random, parts: Parts, fileBytes: number): Parts {
  const { form, counters, manifest, data } = parts;
  const near = [BigInt(fileBytes), BigInt(data.length), BigInt(parts.dataOffset)];
  switch (random.integer(5)) {
    case 0:
    case 1:
      return {
        ...parts,
        manifest: checkedManifest(chance(random, 0.6) ? swappedDtype(random, manifest) : mutateJson(random, manifest)),
      };
    case 2: {
      if (form === FLAT) return { ...parts, manifest: checkedManifest(mutateJson(random, manifest)) };
      const changed = counters.slice();
      mutateNumber(random, changed, 8 * random.integer(form.covered / 8), 8, near);
      putCrc(changed, form.covered, 0, form.covered);
      return { ...parts, counters: changed };
    }
    case 3:
      return form === FLAT
        ? { ...parts, data: mutateBlindly(random, data, [data]) }
        : { ...parts, data: mutatedRecord(random, parts, near) };
    default:
      return { ...parts, data: mutatedStatistics(random, parts, near) };
  }
}

/** Another type for a column, of any width: what comes behind it moves. */
function swappedDtype(random: Random, manifest: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(manifest);
  const types = [
    '<i4',
    '>i4',
    '<f8',
    '|i1',
    '|b1',
    '<M8[us]',
    '<m8[25s]',
    '|S1',
    '|S7',
    '<U1',
    '<U3',
    '<f2',
    '<f16',
    '<u8',
    '|S0',
    '<U0',
    '|V3',
    '<c16',
    '|S999999999',
    '<U536870912',
  ];
  let count = 0;
  const at = random.integer(8);
  return new TextEncoder().encode(
    text.replace(/("dtype": ")[^"]*"/g, (whole, start: string) =>
      count++ % 8 === at || chance(random, 0.1) ? `${start}${random.pick(types)}"` : whole,
    ),
  );
}

/** The checksum of what Python makes of the columns: JSON with sorted keys and spaces. */
function checkedManifest(manifest: Uint8Array): Uint8Array {
  try {
    const value = JSON.parse(new TextDecoder().decode(manifest)) as Record<string, unknown>;
    if (typeof value !== 'object' || !('manifest_crc32' in value)) return manifest;
    const covered =
      'n_rows' in value ? { columns: value['columns'], n_rows: value['n_rows'] } : { columns: value['columns'] };
    return new TextEncoder().encode(
      python({ ...value, manifest_crc32: crc32(new TextEncoder().encode(python(covered, true))) }),
    );
  } catch {
    return manifest;
  }
}

function python(value: unknown, isSorted = false): string {
  if (Array.isArray(value)) return `[${value.map((item) => python(item, isSorted)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    if (isSorted) entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${python(key)}: ${python(item, isSorted)}`).join(', ')}}`;
  }
  const text = value === undefined ? 'null' : JSON.stringify(value);
  return text.replace(/[\u007f-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A number of a record's header; records lie back to back, each as long as its rows. */
function mutatedRecord(random: Random, { data, counters, manifest }: Parts, near: readonly bigint[]): Uint8Array {
  const changed = data.slice();
  const records = Number(getNumber(counters, 0, 8));
  let at = 0;
  for (let skip = random.integer(Math.max(1, records)); skip > 0; skip -= 1) {
    const next = at + RECORD_HEADER_BYTES + alignUp(Number(getNumber(changed, at + 12, 8)) * rowBytes(manifest), 8);
    if (!(next + RECORD_HEADER_BYTES <= changed.length)) break;
    at = next;
  }
  const [field, width] = random.pick<readonly [number, Width]>([
    [0, 4],
    [4, 8],
    [12, 8],
    [12, 8],
    [12, 8],
    [20, 8],
  ]);
  mutateNumber(random, changed, at + field, width, near);
  putCrc(changed, at + 28, at, at + 28);
  return changed;
}

function rowBytes(manifest: Uint8Array): number {
  const text = new TextDecoder().decode(manifest);
  let sum = 0;
  for (const [, kind, digits] of text.matchAll(/"dtype": "[<>|](\w)(\d+)/g))
    sum += Number(digits) * (kind === 'U' ? 4 : 1);
  return sum;
}

const STATISTICS_MAGIC = [0x43, 0x53, 0x54, 0x41, 0x54];

/** A number of the statistics, where the file has them; their checksum ends the file. */
function mutatedStatistics(random: Random, { data }: Parts, near: readonly bigint[]): Uint8Array {
  let start = -1;
  for (let at = 0; at + 24 < data.length && start < 0; at += 8)
    if (STATISTICS_MAGIC.every((byte, i) => data[at + i] === byte)) start = at;
  if (start < 0) return mutateBlindly(random, data, [data]);
  const changed = data.slice();
  const width = random.pick<Width>([1, 2, 4, 8]);
  mutateNumber(
    random,
    changed,
    start + (chance(random, 0.5) ? random.pick([8, 12, 16, 20]) : 8 + random.integer(changed.length - start - 12)),
    width,
    near,
  );
  viewOf(changed).setUint32(changed.length - 4, crc32(changed.subarray(start, changed.length - 4)), true);
  return changed;
}

async function exercise(recorder: Recorder, path: string, random: Random): Promise<void> {
  const options = { backend: recorder.backend };
  await recorder.step('info', () => info(path, options));
  await recorder.step('schema only', () => schema(path, options));
  await recorder.opens('open', async () => (await open(path, options)).close());
  await recorder.opens('open verify', async () => (await open(path, { ...options, verify: true })).close());
  const table = await recorder.opens('openSync', () => openSync(path, options));
  if (table === undefined) return;
  try {
    await exerciseTable(recorder, table, random);
    const step = recorder.step.bind(recorder);
    await step('get', () => table.get(0).toColumns());
    await step('get slice', () => table.get({ start: -3, step: 2 }).toColumnsSync());
  } finally {
    table.close();
  }
}
