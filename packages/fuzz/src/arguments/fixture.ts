// What calls of the addon work on: a mapped file of known bytes with segments and pages, and legal arguments for every
// function, from which hostile ones are made.
import { openSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadNative } from '@colkit/native';
import type { Mapping, NativeBinding, SegmentTable } from '@colkit/native';
import { newResults, packJobs } from '@colkit/io';
import type { PageJob } from '@colkit/io';
import { randomPage } from '../formats/columna-page.ts';
import { viewOf } from '../run/bytes.ts';
import { randomOf } from '../run/random.ts';
import type { Random } from '../run/random.ts';
import { writerArguments } from './writer-arguments.ts';

export const FILE_BYTES = 64 * 1024;
const PAGES = 24;
const ITEM_BYTES = [8, 4, 1, 3];
const ROW_STARTS = [0, 300, 300, 1000];

export interface Fixture {
  readonly binding: NativeBinding;
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly fd: number;
  mapping: Mapping;
  segments: SegmentTable;
  readonly closed: Mapping;
  readonly pages: readonly {
    readonly byteOffset: number;
    readonly byteLength: number;
    readonly type: number;
    readonly rows: number;
    readonly hasNulls: boolean;
  }[];
}

let made: Fixture | null = null;

/** The same for all calls of a process; what a call has closed is opened again. */
export function fixtureIn(folder: string): Fixture {
  if (made === null) made = makeFixture(folder);
  else reopen(made);
  return made;
}

function makeFixture(folder: string): Fixture {
  const { binding } = loadNative();
  if (binding === null) throw new Error('the addon does not load');
  const bytes = Uint8Array.from({ length: FILE_BYTES }, (_, i) => (i * 31 + (i >> 8)) & 0xff);
  const pages = [];
  let at = 32 * 1024 + 4;
  for (let number = 0; number < PAGES && at < FILE_BYTES - 8192; number += 1) {
    const page = randomPage(randomOf(3, 'fixture', number), 200);
    if (page.length > 4096) continue;
    bytes.set(page, at);
    const [rows, values] = [viewOf(page).getUint32(12, true), viewOf(page).getUint32(16, true)];
    pages.push({ byteOffset: at, byteLength: page.length, type: page[21] ?? 0, rows, hasNulls: values < rows });
    at += page.length;
  }
  const path = join(folder, 'mapped');
  writeFileSync(path, bytes);
  const fd = openSync(path, 'r');
  const closed = binding.mapFile(path, fd);
  binding.closeMapping(closed);
  const mapping = binding.mapFile(path, fd);
  return { binding, path, bytes, fd, mapping, segments: segmentsOf(binding, mapping), closed, pages };
}

function reopen(fixture: Fixture): void {
  try {
    fixture.binding.mappingByteLength(fixture.mapping);
  } catch {
    fixture.mapping = fixture.binding.mapFile(fixture.path, fixture.fd);
    fixture.segments = segmentsOf(fixture.binding, fixture.mapping);
  }
}

/** Columns one after another in each of three segments, the one in the middle of no rows. */
export function basesOf(): number[] {
  const segmentStarts = [64, 6000, 6000];
  return ITEM_BYTES.flatMap((width, column) =>
    segmentStarts.map((start, segment) => {
      const rows = (ROW_STARTS[segment + 1] ?? 0) - (ROW_STARTS[segment] ?? 0);
      const before = ITEM_BYTES.slice(0, column).reduce((sum, each) => sum + each * rows, 0);
      return start + before - (ROW_STARTS[segment] ?? 0) * width;
    }),
  );
}

function segmentsOf(binding: NativeBinding, mapping: Mapping): SegmentTable {
  return binding.createSegments(
    mapping,
    Float64Array.from(ROW_STARTS),
    Int32Array.from(ITEM_BYTES),
    Float64Array.from(basesOf()),
  );
}

/** Arguments that are taken, by function; null for one that nobody described: it gets anything. */
export function legalArguments(
  name: string,
  random: Random,
  { binding, path, fd, mapping, segments, pages }: Fixture,
): unknown[] | null {
  const n = random.integer(40);
  switch (name.replace(/Sync$/, '')) {
    case 'cpuFeatures':
    case 'poolStats':
    case 'maxWorkers':
      return [];
    case 'mapFile':
      return [path, fd];
    case 'readSmallFiles':
      return [[path, '', dirname(path), path].join('\0'), new Uint8Array(random.integer(8000)), new Int32Array(4)];
    case 'willReadFiles':
      return [[path, '', dirname(path), path].join('\0'), random.integer(8000)];
    case 'mapCopy':
      return [Uint8Array.from({ length: n + 1 }, () => random.integer(256))];
    case 'lockFile':
      return [fd];
    case 'mappingByteLength':
    case 'currentFileSize':
    case 'closeMapping':
      return [mapping];
    case 'advise':
      return [
        mapping,
        random.pick(['normal', 'sequential', 'random', 'willneed', 'dontneed', 'hugepage']),
        random.integer(100),
        random.integer(1000),
      ];
    case 'window':
      return [mapping, random.integer(5000), random.integer(5000)];
    case 'read':
      return [mapping, random.integer(5000), new Uint8Array(n)];
    case 'shrinkMapping':
      return [binding.mapFile(path, fd), 1 + random.integer(FILE_BYTES)];
    case 'joinMappings':
      // Those that are joined are nobody else's any more.
      return [[binding.mapFile(path, fd), binding.mapFile(path, fd)]];
    case 'createSegments':
      return [mapping, Float64Array.from(ROW_STARTS), Int32Array.from(ITEM_BYTES), Float64Array.from(basesOf())];
    case 'gather':
      return gatherArguments(random, segments);
    case 'copyRanges': {
      const lengths = Float64Array.from({ length: n }, () => random.integer(50));
      return [
        mapping,
        lengths.map(() => random.integer(5000)),
        lengths,
        new Uint8Array(50 * n),
        lengths.map((_, k) => 50 * k),
        random.integer(3),
      ];
    }
    case 'decodePages':
      return pageArguments(random, mapping, pages);
    case 'runRaw':
      return rawArguments(random, segments);
    case 'selectWithin':
      return [
        Uint32Array.from({ length: n }, () => random.integer(100)),
        random.integer(60),
        random.integer(40),
        new Uint32Array(n),
      ];
    case 'sumByCode':
      return [
        Uint32Array.from({ length: n }, () => random.uint32()),
        Uint32Array.from({ length: n }, () => random.integer(7)),
        new Float64Array(7),
        new Float64Array(7),
      ];
    case 'spreadTexts':
      return [
        new Uint8Array(40).map((_, i) => i),
        1,
        Uint32Array.of(3, 3, 9, 40),
        Uint32Array.from({ length: n }, () => random.pick([0, 1, 2, 3, 2 ** 32 - 1])),
        new Uint8Array(40 * n),
        random.integer(40),
        new Uint32Array(n),
      ];
    case 'bestTexts': {
      const [codes, groups] = [
        random.pick([null, Uint32Array.from({ length: n }, () => random.pick([0, 1, 2, 3, 2 ** 32 - 1]))]),
        random.pick([null, Uint32Array.from({ length: Math.max(n, 4) }, () => random.integer(5))]),
      ];
      const bytes = Uint8Array.from({ length: 40 }, () => random.integer(2));
      return [bytes, 1, Uint32Array.of(3, 3, 9, 40), codes, groups, random.integer(2), new Uint32Array(5)];
    }
    case 'numberTexts': {
      let end = 0;
      const ends = Uint32Array.from({ length: n }, () => (end += random.integer(4)));
      const bytes = Uint8Array.from({ length: end }, () => random.integer(3));
      const [slots, known] = [new Uint32Array(2 ** (1 + random.integer(8))), new Uint8Array(random.integer(2 * n + 1))];
      const facts = Uint32Array.of(0, random.uint32(), random.uint32());
      return [bytes, 0, ends, 0, new Uint32Array(n), slots, known, new Uint32Array(random.integer(n + 1)), facts];
    }
    case 'numberPairs': {
      const words = (): Uint32Array => Uint32Array.from({ length: 2 * n }, () => random.integer(4));
      const [left, right] = random.pick([
        [words().subarray(n), words().subarray(n)],
        [words(), null],
      ]);
      const validity = random.pick([null, Uint8Array.from({ length: (n + 7) >> 3 }, () => random.integer(256))]);
      const [room, slots] = [random.integer(n + 1), new Uint32Array(2 ** random.integer(8))];
      const known = [new Uint32Array(room), new Uint32Array(room), new Uint32Array(1)];
      return [left, right, validity, 0, new Uint32Array(n), slots, ...known];
    }
    case 'foldByGroup': {
      const fold = random.integer(6);
      const words = (): Uint32Array => Uint32Array.from({ length: 2 * n }, () => random.uint32());
      const numbers = (): Float64Array => Float64Array.from({ length: n }, () => random.integer(1000));
      const values = fold === 0 ? null : fold === 3 || fold === 5 ? words() : numbers();
      const validity = random.pick([null, Uint8Array.from({ length: (n + 7) >> 3 }, () => random.integer(256))]);
      const states = [0, 1, 2].map(() => new Float64Array(1 + random.integer(8)));
      return [
        fold,
        random.integer(8),
        Uint32Array.from({ length: n }, () => random.integer(9)),
        values,
        validity,
        0,
        ...states,
      ];
    }
    case 'moveSlots': {
      const slots = new Uint32Array(2 ** (2 + random.integer(5)));
      for (let i = 0; i < slots.length / 4; i++) slots.set([i + 1, random.uint32()], 4 * i);
      return [slots, new Uint32Array(2 * slots.length)];
    }
    case 'allocatePooled':
    case 'tellOrdinary':
      return [random.pick([0, 1, 100, 70_000, 1 << 20])];
    case 'setPoolLimit':
      return [random.pick([0, 1 << 20, 256 << 20])];
    case 'setMaxWorkers':
      return [1 + random.integer(4)];
    default:
      return writerArguments(name, random);
  }
}

function gatherArguments(random: Random, segments: SegmentTable): unknown[] {
  const rowCount = ROW_STARTS.at(-1) ?? 0;
  const columns = Int32Array.from({ length: 1 + random.integer(3) }, () => random.integer(ITEM_BYTES.length));
  const count = random.integer(60);
  const indices = Array.from({ length: count }, () => random.integer(2 * rowCount) - rowCount);
  const mask = Uint8Array.from({ length: rowCount }, () => Number(random.integer(9) === 0));
  const set = mask.reduce((sum, byte) => sum + byte, 0);
  const [rows, taken] = random.pick<[unknown, number]>([
    [{ kind: 'range', start: 5, step: 3, count }, count],
    [{ kind: 'indices', indices: Int32Array.from(indices) }, count],
    [Float64Array.from(indices), count],
    [BigInt64Array.from(indices, BigInt), count],
    [{ kind: 'mask', mask, count: set }, set],
  ]);
  return [
    segments,
    columns,
    rows,
    Array.from(columns, (column) => new Uint8Array(taken * (ITEM_BYTES[column] ?? 0))),
    null,
    random.integer(3),
  ];
}

/** A program over the columns of the segments, whatever their items are taken for. */
function rawArguments(random: Random, segments: SegmentTable): unknown[] {
  const types = new Map<number, readonly number[]>([
    [1, [0, 1, 5]],
    [2, [2, 6, 9]],
    [4, [3, 7, 10, 14]],
    [8, [4, 8, 11, 12]],
  ]);
  const column = random.integer(ITEM_BYTES.length);
  const type = random.pick(types.get(ITEM_BYTES[column] ?? 0) ?? [13]);
  const isText = type >= 13;
  const node = [isText ? 2 : 1, 0, random.integer(2), 0, random.integer(3), 0, 4, random.integer(3) - 1, 1];
  const fold = [0, 1 + random.integer(2)];
  const rowCount = ROW_STARTS.at(-1) ?? 0;
  const start = random.integer(rowCount);
  // By groups no text is folded.
  const keys = isText ? 0 : random.integer(2);
  const most = keys * (1 + random.integer(100));
  return [
    segments,
    Float64Array.from([
      1,
      1,
      1,
      1,
      1,
      keys,
      most,
      column,
      type,
      random.integer(2),
      start,
      rowCount,
      ...node,
      ...fold,
      ...(keys > 0 ? [0] : []),
    ]),
    Uint8Array.from({ length: 16 }, () => random.integer(256)),
    new Uint8Array(Math.ceil((rowCount - start) / 8)),
    new Float64Array(2 + (keys > 0 ? most * (2 + 74) : 74)),
    random.integer(3),
  ];
}

function pageArguments(random: Random, mapping: Mapping, pages: Fixture['pages']): unknown[] {
  const values = { output: 0, bytes: 2048 };
  const bitmaps = { output: 1, bytes: 64 };
  const jobs = Array.from({ length: 1 + random.integer(3) }, (_, k): PageJob => {
    const { byteOffset, byteLength, type, rows, hasNulls } = random.pick(pages);
    const page = {
      byteOffset,
      byteLength,
      typeId: type,
      column: 0,
      codesOnly: false,
      rowCount: rows,
      start: 0,
      end: rows,
    };
    const to = { output: values.output, byteOffset: values.bytes * k };
    const validity = hasNulls ? { output: bitmaps.output, byteOffset: bitmaps.bytes * k } : null;
    const listed = random.integer(2) === 0 ? null : { ...to, count: 1 + random.integer(200) };
    return random.integer(2) === 0
      ? { form: 'items', page, to, follows: false, validity, rows: listed, entries: null }
      : { form: 'numbers', page, to, hasDictionary: false, validity, rows: listed };
  });
  return [
    mapping,
    packJobs(jobs),
    newResults(jobs.length),
    [new Float64Array((jobs.length * values.bytes) / 8), new Uint8Array(jobs.length * bitmaps.bytes)],
    random.integer(2) === 0,
    random.integer(3),
  ];
}

/** Rows of the segments as the file has them: item `row` of `column`. */
export function itemOf(bytes: Uint8Array, column: number, row: number): Uint8Array {
  const width = ITEM_BYTES[column] ?? 0;
  let segment = 0;
  while (segment + 1 < ROW_STARTS.length - 1 && (ROW_STARTS[segment + 1] ?? 0) <= row) segment += 1;
  const start = (basesOf()[column * (ROW_STARTS.length - 1) + segment] ?? 0) + row * width;
  return bytes.subarray(start, start + width);
}

export const SEGMENT_ROWS = ROW_STARTS.at(-1) ?? 0;
