// `verify`: the golden files are sound, and every byte that no reader looks at is looked at.
import { loadGoldenTables } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
import { verifyLayout } from '../../src/layout/verify.ts';
import { bytesOfHex } from '@colkit/testkit';
import {
  concat,
  counters32,
  counters64,
  errorOf,
  flatFile,
  layoutOf,
  recordFile,
  recordManifest,
  runOver,
  text,
} from '../support/files.ts';

const verify = (bytes: Uint8Array): void => runOver((source) => verifyLayout(source, layoutOf(bytes)), bytes);
const XB = [
  { name: 'x', descr: '<i4' },
  { name: 'b', descr: '|b1' },
];
const BODY = bytesOfHex('010000000200000003000000010001');
const RECORDS = [
  { rows: 3, body: BODY },
  { rows: 0, body: new Uint8Array(0) },
  { rows: 1, body: bytesOfHex('0100000001') },
];

describe('verifyLayout', () => {
  it.each(['described', 'colstore-0.1.0', 'colstore-0.2.0', 'colstore-0.5.1'])(
    'passes what %s wrote, but not bytes behind the end',
    (release) => {
      for (const table of loadGoldenTables(new URL(`../golden/${release}/`, import.meta.url), '.cstore')) {
        if (table.error !== null) continue;
        if (table.name !== 'orphan_tail') verify(table.file);
        else
          expect(errorOf(() => verify(table.file))).toMatchObject({ code: 'ERR_UNCOMMITTED_TAIL', found: '256 bytes' });
      }
    },
  );

  it('takes counters whose reserved bytes are not zero: no reader looks at them', () => {
    for (const [counters, first, end] of [
      [counters64(3, 4), 36, 72],
      [counters32(3, 4), 28, 40],
    ] as const) {
      const file = recordFile(counters, recordManifest(XB), RECORDS);
      const sound = layoutOf(file);
      for (let at = first; at < end; at += 1) {
        for (let bit = 0; bit < 8; bit += 1) {
          const bytes = file.slice();
          bytes[at]! ^= 1 << bit;
          expect(layoutOf(bytes), `bit ${String(bit)} of byte ${String(at)}`).toEqual(sound);
          verify(bytes);
        }
      }
      const bytes = file.slice().fill(0x7b, first, end);
      expect(layoutOf(bytes)).toEqual(sound);
    }
  });

  it('finds padding that is not zero', () => {
    for (const file of [
      recordFile(counters64(3, 4), recordManifest(XB), RECORDS),
      recordFile(counters32(3, 4), recordManifest(XB), RECORDS),
    ]) {
      verify(file);
      const layout = layoutOf(file);
      const offsets = [layout.manifestEnd, layout.dataOffset - 1, layout.bodyOffsets[0]! + 15];
      for (const offset of offsets) {
        const bytes = file.slice();
        bytes[offset] = 9;
        expect(
          errorOf(() => verify(bytes)),
          String(offset),
        ).toMatchObject({
          name: 'CorruptFileError',
          code: 'ERR_LAYOUT',
          byteOffset: offset,
          expected: 'zeros',
          found: '9',
        });
      }
    }
  });

  it('finds bytes that are no bool, with the column', () => {
    const bytes = recordFile(counters64(3, 4), recordManifest(XB), RECORDS);
    const at = layoutOf(bytes).bodyOffsets[2]! + 4;
    bytes[at] = 2;
    expect(errorOf(() => verify(bytes))).toMatchObject({
      code: 'ERR_LAYOUT',
      column: 'b',
      byteOffset: at,
      expected: '0 or 1',
      found: '2',
    });
  });

  it('finds units that are no code point, in either byte order and in any block', () => {
    const rows = 300_000;
    for (const order of ['<', '>']) {
      const data = new Uint8Array(rows * 4);
      const view = new DataView(data.buffer);
      for (let row = 0; row < rows; row += 1) view.setUint32(row * 4, 0x10ffff, order === '<');
      const columns = `[{"name": "u", "dtype": "${order}U1"}]`;
      const manifest = `{"format_version": 1, "n_rows": ${String(rows)}, "columns": ${columns}}`;
      verify(flatFile(manifest, data));
      view.setUint32(270_000 * 4, 0x110000, order === '<');
      expect(errorOf(() => verify(flatFile(manifest, data)))).toMatchObject({
        code: 'ERR_LAYOUT',
        column: 'u',
        byteOffset: 128 + 270_000 * 4,
        expected: 'a code point of Unicode',
        found: '0x110000',
      });
    }
  });

  it('takes nothing but a sound footer behind the end', () => {
    const bytes = concat(
      recordFile(counters64(1, 3, 368), recordManifest(XB), RECORDS.slice(0, 1)),
      text('not a footer'),
    );
    expect(errorOf(() => verify(bytes))).toMatchObject({ code: 'ERR_UNCOMMITTED_TAIL', byteOffset: 368 });
  });
});
