// Damaged files: every third truncation and changed byte (all in a long run) of every small golden file, random damage,
// and hostile headers. What may come of it is decided byte by byte: a typed error where a checksum covers the byte,
// exactly one changed value in column bytes, and elsewhere a typed error or a table that holds together.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byteFlips, damageStep, loadGoldenTables, outcomeOf, truncations } from '@colkit/testkit';
import type { Damage, GoldenTable, Outcome } from '@colkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CorruptFileError, isColkitError, openSync } from '../src/index.ts';
import type { FileLayout } from '../src/layout/read-layout.ts';
import { recordPadding } from '../src/layout/records.ts';
import { concat, counters64, errorOf, flatFile, layoutOf, recordFile, recordManifest, text } from './support/files.ts';

const RELEASES = ['described', 'colstore-0.1.0', 'colstore-0.2.0', 'colstore-0.5.1'] as const;
const LARGEST = 4096;
/** Layouts are read in TypeScript. */
const STEP = damageStep(false);
const isSampled = ({ byteOffset }: Damage): boolean => byteOffset % STEP === 0;
const small = RELEASES.flatMap((release) =>
  loadGoldenTables(new URL(`./golden/${release}/`, import.meta.url), '.cstore')
    .filter(({ file, error }) => file.length <= LARGEST && error === null)
    .map((table) => ({ ...table, name: `${release}/${table.name}` })),
);

/** All values of all columns as packed items; with `decode` once more as JavaScript values. */
function readAll(bytes: Uint8Array, decode: boolean): ReadonlyMap<string, Uint8Array> {
  const store = openSync(bytes);
  const raw = new Map(
    [...store.toColumnMapSync({ strings: 'bytes' })].map(([name, array]) => [name, bytesOf(array as Uint8Array)]),
  );
  for (const [name, values] of decode ? store.toColumnMapSync() : []) {
    const length = (values as unknown as ArrayLike<unknown>).length;
    if (length !== store.rowCount) throw new Error(`${name} has ${String(length)} values of ${String(store.rowCount)}`);
  }
  const held = [...raw.values()].reduce((sum, array) => sum + array.length, 0);
  if (held > bytes.length) throw new Error(`${String(held)} bytes of values from ${String(bytes.length)} bytes`);
  store.close();
  return raw;
}

const bytesOf = (array: Uint8Array): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
const outcome = (damage: Damage): Promise<Outcome<ReadonlyMap<string, Uint8Array>>> =>
  outcomeOf(damage, (bytes) => readAll(bytes, damage.byteOffset % 5 === 0), isColkitError);
const isSame = (table: GoldenTable, found: ReadonlyMap<string, Uint8Array>): boolean =>
  found.size === table.columns.length &&
  table.columns.every(({ name, bytes }) => Buffer.from(bytes).equals(found.get(name) ?? Buffer.of(1)));

type Place =
  /** A checksum or a comparison covers it. */
  | { readonly kind: 'covered' }
  /** Byte `at` of a column's items. */
  | { readonly kind: 'item'; readonly column: number; readonly at: number }
  /** Readers do not look at it. */
  | { readonly kind: 'ignored' }
  | { readonly kind: 'open' };

/** What the format says of each byte of a sound file. */
function placeOf(layout: FileLayout, file: Uint8Array, at: number): Place {
  const isRecords = layout.wire.startsWith('records');
  if (at < 8) return { kind: 'covered' };
  if (isRecords && at < layout.manifestOffset - 8)
    return { kind: at < (layout.wire === 'records-32' ? 28 : 36) ? 'covered' : 'open' };
  if (at < layout.manifestOffset) return { kind: 'open' };
  if (at < layout.manifestEnd)
    return { kind: layout.hasChecksum && isCoveredText(file, layout, at) ? 'covered' : 'open' };
  if (at < layout.dataOffset) return { kind: 'ignored' };
  return placeInData(layout, isRecords, at);
}

/**
 * The columns, the row count of a flat file, and the checksum's digits. Only the keys themselves, the version and the
 * punctuation between them are open.
 */
function isCoveredText(file: Uint8Array, layout: FileLayout, at: number): boolean {
  const manifest = new TextDecoder('latin1').decode(file.subarray(layout.manifestOffset, layout.manifestEnd));
  const position = at - layout.manifestOffset;
  const start = manifest.indexOf('[');
  const end = manifest.lastIndexOf(']');
  const rows = /"n_rows": (\d+)/.exec(manifest);
  const sum = manifest.indexOf('"manifest_crc32": ') + '"manifest_crc32": '.length;
  const within = (from: number, to: number): boolean => position >= from && position < to;
  return (
    within(start, end + 1) ||
    within(sum, manifest.length - 1) ||
    (rows !== null && within(rows.index + '"n_rows": '.length, rows.index + rows[0].length))
  );
}

function placeInData(layout: FileLayout, isRecords: boolean, at: number): Place {
  for (let record = 0; record < layout.bodyOffsets.length; record += 1) {
    const body = layout.bodyOffsets[record]!;
    const firstRow = layout.rowStarts[record]!;
    const rows = layout.rowStarts[record + 1]! - firstRow;
    if (isRecords && at >= body - 32 && at < body) return { kind: 'covered' };
    let start = body;
    for (const [column, { dtype }] of layout.columns.entries()) {
      if (at >= start && at < start + rows * dtype.itemBytes)
        return { kind: 'item', column, at: firstRow * dtype.itemBytes + at - start };
      start += rows * dtype.itemBytes;
    }
    if (isRecords && at < start + recordPadding(rows * layout.rowBytes) && at >= start) return { kind: 'ignored' };
  }
  return { kind: 'ignored' };
}

function expectTyped(found: Outcome<unknown>, label: string): void {
  if (found.kind !== 'error') throw new Error(`${label}: read without an error`);
  const { error } = found;
  if (!(error instanceof CorruptFileError)) return;
  const { path, region, expected, found: seen, byteOffset } = error;
  for (const field of [path, region, expected, seen])
    if (typeof field !== 'string' || field === '') throw new Error(`${label}: ${error.message} lacks a field`);
  if (!Number.isSafeInteger(byteOffset)) throw new Error(`${label}: no byteOffset`);
}

describe('bytes of every small golden file', () => {
  it('is swept over enough files', () => expect(small.length).toBeGreaterThanOrEqual(35));

  it.each(small)('$name, changed', async (table) => {
    const layout = layoutOf(table.file);
    const counts = { covered: 0, item: 0, ignored: 0, open: 0 };
    for (const damage of byteFlips(table.file, table.file.length < 1300 ? [0xff, 0x01] : [0xff])) {
      if (!isSampled(damage)) continue;
      const place = placeOf(layout, table.file, damage.byteOffset);
      counts[place.kind] += 1;
      const found = await outcome(damage);
      if (place.kind === 'covered') {
        expectTyped(found, damage.label);
        if (found.kind === 'error' && found.error.name !== 'CorruptFileError')
          throw new Error(`${damage.label}: ${found.error.name}`);
      } else if (place.kind === 'ignored') {
        if (found.kind === 'error' || !isSame(table, found.value))
          throw new Error(`${damage.label}: not the same table`);
      } else if (place.kind === 'item') {
        if (found.kind === 'error') throw new Error(`${damage.label}: ${found.error.message}`);
        const changed = {
          ...table,
          columns: table.columns.map((column, index) =>
            index === place.column ? { ...column, bytes: changedAt(column.bytes, layout, place, damage) } : column,
          ),
        };
        if (!isSame(changed, found.value)) throw new Error(`${damage.label}: not exactly that value differs`);
      } else if (found.kind === 'error') expectTyped(found, damage.label);
    }
    expect(counts.covered).toBeGreaterThan(0);
    if (table.rowCount > 0) expect(counts.item).toBeGreaterThan(0);
  });

  it.each(small)('$name, cut off', async (table) => {
    const { endOffset } = layoutOf(table.file);
    for (const damage of truncations(table.file)) {
      if (!isSampled(damage)) continue;
      const found = await outcome(damage);
      if (damage.byteOffset < endOffset) {
        expectTyped(found, damage.label);
        if (found.kind === 'error' && found.error.name !== 'CorruptFileError')
          throw new Error(`${damage.label}: ${found.error.name}`);
      } else if (found.kind === 'error' || !isSame(table, found.value))
        throw new Error(`${damage.label}: not the same table`);
    }
  });
});

/** The golden bytes with the change where it shows: big-endian items come out reversed. */
function changedAt(
  bytes: Uint8Array,
  layout: FileLayout,
  place: { column: number; at: number },
  damage: Damage,
): Uint8Array {
  const { bigEndian, dtype } = layout.columns[place.column]!;
  const within = place.at % dtype.itemBytes;
  const at = bigEndian ? place.at - within + (dtype.itemBytes - 1 - within) : place.at;
  const mask = Number(damage.label.split('^ ')[1]);
  return bytes.map((byte, index) => (index === at ? byte ^ mask : byte));
}

describe('from real files', () => {
  it('every cut of a flat and of a record file, mapped where possible and by position', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'colstore-cut-'));
    const path = join(folder, 'cut.cstore');
    for (const table of small.filter(({ name }) => name.endsWith('0.1.0/tiny') || name.endsWith('0.5.1/tiny'))) {
      for (const damage of truncations(table.file)) {
        writeFileSync(path, damage.bytes);
        for (const io of ['auto', 'pread'] as const) {
          const error = errorOf(() => openSync(path, { io }));
          if (!isColkitError(error) || error.name !== 'CorruptFileError' || !error.message.startsWith(path))
            throw new Error(`${damage.label}: ${String(error)}`);
        }
      }
    }
    rmSync(folder, { recursive: true });
    await Promise.resolve();
  });
});

describe('random damage', () => {
  it('gives a typed error or a table that holds together', async () => {
    const mutation = fc.record({
      at: fc.nat(),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 12 }),
      kind: fc.constantFrom('replace', 'insert', 'delete'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(small.length - 1),
        fc.array(mutation, { minLength: 1, maxLength: 4 }),
        async (index, mutations) => {
          let bytes: Uint8Array = small[index]!.file.slice();
          for (const { at, bytes: piece, kind } of mutations) {
            const start = bytes.length === 0 ? 0 : at % bytes.length;
            bytes = concat(
              bytes.subarray(0, start),
              kind === 'delete' ? new Uint8Array(0) : piece,
              bytes.subarray(start + (kind === 'insert' ? 0 : piece.length)),
            );
          }
          const found = await outcome({ label: 'random damage', byteOffset: 0, bytes });
          if (found.kind === 'error') expectTyped(found, JSON.stringify(mutations));
        },
      ),
      { numRuns: 1500 },
    );
  });
});

describe('hostile headers', () => {
  const refusal = (bytes: Uint8Array): unknown => errorOf(() => openSync(bytes));

  it('a row count whose bytes overflow any number', () => {
    for (const rows of [
      '9007199254740991',
      '1152921504606846976',
      '18446744073709551615',
      '-1',
      '1e3',
      '"3"',
      'null',
      'true',
    ]) {
      expect(
        refusal(flatFile(`{"format_version": 1, "n_rows": ${rows}, "columns": [{"name": "x", "dtype": "<f8"}]}`)),
      ).toMatchObject({ name: 'CorruptFileError' });
    }
  });

  it('items of gigabytes need a file of gigabytes', () => {
    expect(
      refusal(flatFile('{"format_version": 1, "n_rows": 1, "columns": [{"name": "x", "dtype": "|S999999999"}]}')),
    ).toMatchObject({ code: 'ERR_TRUNCATED' });
    const empty = openSync(
      flatFile('{"format_version": 1, "n_rows": 0, "columns": [{"name": "x", "dtype": "|S999999999"}]}'),
    );
    expect(empty.toColumnsSync()).toEqual({ x: [] });
    expect(
      refusal(flatFile('{"format_version": 1, "n_rows": 0, "columns": [{"name": "x", "dtype": "|S99999999999"}]}')),
    ).toMatchObject({ name: 'UnsupportedError', feature: '|S99999999999' });
    expect(
      refusal(flatFile('{"format_version": 1, "n_rows": 0, "columns": [{"name": "x", "dtype": "<M8[99999999999s]"}]}')),
    ).toMatchObject({ name: 'UnsupportedError' });
  });

  it('a footer that claims 2^31 columns, or as many records', () => {
    const file = recordFile(counters64(0, 0, 192), recordManifest([{ name: 'x', descr: '<i4' }]), []);
    for (const at of [12, 16]) {
      const footer = new Uint8Array(64);
      footer.set(text('CSTAT'));
      footer.set([1, 0, 0, 0, 0, 0, 0, 0], 5);
      new DataView(footer.buffer).setUint32(at, 2 ** 31, true);
      expect(openSync(concat(file, footer)).infoSync().statistics).toBeNull();
    }
  });

  it('many records without rows cost no more than their headers', () => {
    const columns = Array.from({ length: 1000 }, (_, index) => ({ name: `c${String(index)}`, descr: '|u1' }));
    const records = Array.from({ length: 3000 }, () => ({ rows: 0, body: new Uint8Array(0) }));
    const store = openSync(recordFile(counters64(3000, 0), recordManifest(columns), records));
    expect(store.rowCount).toBe(0);
    expect(store.toColumnMapSync().size).toBe(1000);
  });

  it('many columns of many names', () => {
    const columns = Array.from({ length: 20_000 }, (_, index) => ({ name: `column ${String(index)}`, descr: '|u1' }));
    const store = openSync(
      recordFile(counters64(1, 1), recordManifest(columns), [{ rows: 1, body: new Uint8Array(20_000).fill(5) }]),
    );
    expect(store.column('column 19999').atSync(0)).toBe(5);
  });
});
