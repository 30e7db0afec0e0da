// Layouts made so that one check stands between them and being read: what is refused, where and as what.
import { CorruptFileError, LimitError, UnsupportedError } from '@colkit/io';
import { describe, expect, it } from 'vitest';
import {
  MAGIC_BYTES,
  concat,
  counters32,
  counters64,
  errorOf,
  flatFile,
  i64,
  layoutOf,
  recordFile,
  recordHeader,
  recordManifest,
  text,
} from '../support/files.ts';
import { BODY, CHECKED, FLAT, ONE, XB, column, flat, refusal } from './small-files.ts';

describe('what is refused', () => {
  it('foreign, empty and short files', () => {
    expect(refusal(new Uint8Array(0))).toMatchObject({
      name: 'CorruptFileError',
      code: 'ERR_TRUNCATED',
      region: 'header',
      byteOffset: 0,
    });
    expect(refusal(text('NOTCSTOR'))).toMatchObject({
      code: 'ERR_MAGIC',
      region: 'magic',
      byteOffset: 0,
      expected: '43 53 54 4f 52 45 00 01',
      found: '4e 4f 54 43 53 54 4f 52',
    });
    expect(refusal(text('NO'))).toMatchObject({ code: 'ERR_MAGIC' });
    expect(refusal(MAGIC_BYTES)).toMatchObject({ code: 'ERR_TRUNCATED', region: 'header' });
    expect(refusal(concat(MAGIC_BYTES, new Uint8Array(16)))).toMatchObject({
      code: 'ERR_TRUNCATED',
      region: 'header',
      byteOffset: 48,
    });
    expect(refusal(concat(MAGIC_BYTES, new Uint8Array(60)))).toMatchObject({
      code: 'ERR_TRUNCATED',
      region: 'counters',
    });
  });

  it('counters: checksum before anything else, then counts that no file has', () => {
    const good = recordFile(counters64(1, 3), recordManifest(XB), ONE);
    good[8] = 2;
    good[85] = 0;
    expect(refusal(good)).toMatchObject({ code: 'ERR_CRC', region: 'counters', byteOffset: 8, path: 'hand.cstore' });
    expect(refusal(recordFile(counters64(-1, 0), recordManifest(XB), []))).toMatchObject({
      code: 'ERR_LAYOUT',
      region: 'counters',
      byteOffset: 8,
      found: '-1',
    });
    expect(refusal(recordFile(counters64(1n << 53n, 0), recordManifest(XB), []))).toMatchObject({
      code: 'ERR_LAYOUT',
      byteOffset: 8,
    });
    expect(refusal(recordFile(counters64(2 ** 52, 0), recordManifest(XB), []))).toMatchObject({
      code: 'ERR_TRUNCATED',
      region: 'records',
    });
    expect(refusal(recordFile(counters64(1, 1n << 55n), recordManifest(XB), ONE))).toMatchObject({
      code: 'ERR_LAYOUT',
      byteOffset: 16,
    });
    expect(refusal(recordFile(counters64(1, 4), recordManifest(XB), ONE))).toMatchObject({
      code: 'ERR_LAYOUT',
      region: 'counters',
      byteOffset: 16,
      found: '4',
    });
    expect(refusal(recordFile(counters32(1, 4), recordManifest(XB), ONE))).toMatchObject({
      code: 'ERR_LAYOUT',
      region: 'counters',
      byteOffset: 16,
    });
  });

  it('manifest lengths beyond the file, at once', () => {
    for (const length of [1n << 60n, (1n << 63n) + 5n, 2n ** 53n, 1000n]) {
      const bytes = recordFile(counters64(1, 3), recordManifest(XB), ONE);
      bytes.set(new Uint8Array(BigUint64Array.of(length).buffer), 72);
      expect(refusal(bytes)).toMatchObject({
        name: 'CorruptFileError',
        code: 'ERR_TRUNCATED',
        region: 'manifest',
        byteOffset: 80,
        expected: `${String(length)} bytes`,
      });
      const flatBytes = flatFile(CHECKED, BODY);
      flatBytes.set(new Uint8Array(BigUint64Array.of(length).buffer), 8);
      expect(refusal(flatBytes)).toMatchObject({ code: 'ERR_TRUNCATED', region: 'manifest', byteOffset: 16 });
    }
  });

  it('a manifest beyond the limit, before it is read', () => {
    const huge = concat(
      MAGIC_BYTES,
      i64(33 * 1024 * 1024),
      text('{"format_version"'),
      new Uint8Array(33 * 1024 * 1024),
    );
    const asked: { byteOffset: number; byteLength: number }[] = [];
    const error = errorOf(() => layoutOf(huge, asked));
    expect(error).toBeInstanceOf(LimitError);
    expect(error).toMatchObject({ code: 'ERR_METADATA_TOO_LARGE', value: 33 * 1024 * 1024 });
    expect(asked.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThanOrEqual(64 * 1024);
  });

  it.each([
    ['broken JSON', '{"format_version": 1, "n_rows": 3,, "columns": []}', { byteOffset: 16 + 34 }],
    ['text behind the object', '{"format_version": 1} x', { byteOffset: 16 + 22 }],
    ['no version', '{"n_rows": 3, "columns": []}', { expected: '"format_version" to be an integer', found: 'nothing' }],
    ['a version in text', '{"format_version": "1", "n_rows": 3, "columns": []}', { found: '"1"' }],
    ['a version with a point', '{"format_version": 1.0, "n_rows": 3, "columns": []}', { found: '1.0' }],
    ['no columns', '{"format_version": 1, "n_rows": 3}', { expected: '"columns" to be an array' }],
    ['columns that are no array', '{"format_version": 1, "n_rows": 3, "columns": {}}', { found: '{}' }],
    ['an empty array', '{"format_version": 1, "n_rows": 3, "columns": []}', { expected: 'at least one column' }],
    [
      'a column that is no object',
      '{"format_version": 1, "n_rows": 3, "columns": [7]}',
      { expected: 'column 0 to be an object' },
    ],
    [
      'no row count',
      '{"format_version": 1, "columns": [{"name": "x", "dtype": "<i4"}]}',
      { expected: '"n_rows" to be an integer in [0, 2^53)', found: 'nothing' },
    ],
    [
      'negative rows',
      '{"format_version": 1, "n_rows": -1, "columns": [{"name": "x", "dtype": "<i4"}]}',
      { found: '-1' },
    ],
    [
      'rows with a point',
      '{"format_version": 1, "n_rows": 3.0, "columns": [{"name": "x", "dtype": "<i4"}]}',
      { found: '3.0' },
    ],
    [
      'rows beyond 2^53',
      '{"format_version": 1, "n_rows": 9007199254740993, "columns": [{"name": "x", "dtype": "<i4"}]}',
      { found: '9007199254740993' },
    ],
    [
      'rows of 500 digits',
      `{"format_version": 1, "n_rows": ${'9'.repeat(500)}, "columns": [{"name": "x", "dtype": "<i4"}]}`,
      { found: `${'9'.repeat(57)}...` },
    ],
    ['a column without a name', column('"dtype": "<i4"'), { expected: '"name" of column 0 to be a string' }],
    ['a name that is a number', column('"name": 1, "dtype": "<i4"'), { found: '1' }],
    ['a column without a dtype', column('"name": "x"'), { expected: '"dtype" of column 0 to be a string' }],
    [
      'duplicate names',
      column('"name": "x", "dtype": "<i4"}, {"name": "x", "dtype": "<i4"'),
      { expected: 'column 1 to have a name of its own' },
    ],
    [
      'deep nesting',
      `{"format_version": 1, "n_rows": 0, "columns": ${'['.repeat(100_000)}`,
      { expected: 'at most 32 levels of nesting' },
    ],
  ])('%s', (_, manifest, fields) => {
    const error = flat(manifest);
    expect(error).toBeInstanceOf(CorruptFileError);
    expect(error).toMatchObject({ code: 'ERR_MANIFEST', region: 'manifest', path: 'hand.cstore', ...fields });
  });

  it('invalid UTF-8, a byte order mark, a manifest that is no object', () => {
    expect(
      refusal(flatFile(concat(text('{"format_version": 1, "n'), Uint8Array.of(0xff), text('":1}')))),
    ).toMatchObject({ code: 'ERR_MANIFEST', expected: 'UTF-8 text' });
    expect(flat('\ufeff{"format_version": 1}')).toMatchObject({ code: 'ERR_LAYOUT', byteOffset: 16 });
    expect(flat('[1, 2, 3, 4, 5]')).toMatchObject({ code: 'ERR_LAYOUT', byteOffset: 16, found: '5b' });
    expect(refusal(recordFile(counters64(0, 0), '[1]', []))).toMatchObject({
      code: 'ERR_MANIFEST',
      expected: 'a JSON object',
    });
  });

  it('reports positions in bytes, not characters', () => {
    expect(flat('{"é😀": 1, x}')).toMatchObject({ byteOffset: 16 + text('{"é😀": 1, ').length });
  });

  it('other versions, encodings and nullable columns, as unsupported', () => {
    expect(flat('{"format_version": 999, "n_rows": 0, "columns": []}')).toMatchObject({
      name: 'UnsupportedError',
      code: 'ERR_VERSION',
      feature: 'format_version 999',
    });
    expect(flat(column('"name": "x", "dtype": "<i4", "encoding": "zstd"'))).toMatchObject({
      code: 'ERR_ENCODING',
      feature: '"zstd"',
    });
    expect(flat(column('"name": "x", "dtype": "<i4", "nullable": true'))).toMatchObject({ code: 'ERR_FEATURE' });
    for (const descr of [
      '<c16',
      '|V8',
      '|O',
      '<f16',
      '<i3',
      'nonsense',
      '',
      '|S0',
      '<U0',
      '<M8[xs]',
      '<i4[ns]',
      '<U600000000',
    ]) {
      const error = flat(column(`"name": "zed", "dtype": "${descr}"`));
      expect(error).toBeInstanceOf(UnsupportedError);
      expect(error).toMatchObject({ code: 'ERR_DTYPE', feature: descr });
      expect((error as Error).message).toContain('"zed"');
      expect((error as Error).message).toContain('hand.cstore');
    }
  });

  it('a renamed column', () => {
    const bytes = recordFile(
      counters64(1, 3),
      recordManifest([
        { name: 'alpha', descr: '<i4' },
        { name: 'b', descr: '|b1' },
      ]),
      ONE,
    );
    const at = new TextDecoder('latin1').decode(bytes).indexOf('alpha');
    bytes.set(text('ALPHA'), at);
    expect(refusal(bytes)).toMatchObject({ name: 'CorruptFileError', code: 'ERR_CRC', region: 'manifest' });
    expect((refusal(bytes) as Error).message).toContain('checksum');
  });

  it('rows that the file cannot hold, also where the product would overflow', () => {
    for (const rows of ['4', '1000', '9007199254740991'])
      expect(flat(FLAT.replace('"n_rows": 3', `"n_rows": ${rows}`))).toMatchObject({
        code: 'ERR_TRUNCATED',
        region: 'columns',
      });
    for (const rows of [4, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
      const bytes = recordFile(counters64(1, rows), recordManifest(XB), ONE);
      bytes.set(recordHeader(0, rows), 0x140);
      expect(refusal(bytes)).toMatchObject({ code: 'ERR_TRUNCATED', region: 'record 0 body', byteOffset: 0x160 });
    }
  });

  it('record headers: magic, index, checksum, count', () => {
    const at = 0x140;
    const damaged = (change: (bytes: Uint8Array) => void): unknown => {
      const bytes = recordFile(counters64(1, 3), recordManifest(XB), ONE);
      change(bytes);
      return refusal(bytes);
    };
    expect(
      damaged((bytes) => {
        bytes[at] = 0;
      }),
    ).toMatchObject({ code: 'ERR_MAGIC', region: 'record 0 header', byteOffset: at });
    expect(
      damaged((bytes) => {
        bytes[at + 4] = 1;
      }),
    ).toMatchObject({ code: 'ERR_LAYOUT', byteOffset: at + 4, expected: 'record index 0', found: '1' });
    expect(
      damaged((bytes) => {
        bytes[at + 12] = 2;
      }),
    ).toMatchObject({ code: 'ERR_CRC', byteOffset: at + 28 });
    expect(
      damaged((bytes) => {
        bytes[at + 28] = 2;
      }),
    ).toMatchObject({ code: 'ERR_CRC', byteOffset: at + 28 });
    expect(damaged((bytes) => bytes.set(recordHeader(0, -3), at))).toMatchObject({
      code: 'ERR_LAYOUT',
      byteOffset: at + 12,
      found: '-3',
    });
    expect(damaged((bytes) => bytes.set(recordHeader(0, -(1n << 62n)), at))).toMatchObject({ code: 'ERR_LAYOUT' });
  });

  it('a file that ends within its last body or its padding', () => {
    const bytes = recordFile(counters64(1, 3), recordManifest(XB), ONE);
    expect(refusal(bytes.slice(0, -8))).toMatchObject({ code: 'ERR_TRUNCATED', region: 'record 0 body' });
    expect(refusal(bytes.slice(0, -1))).toMatchObject({ code: 'ERR_TRUNCATED', region: 'record 0 body' });
    expect(refusal(flatFile(CHECKED, BODY).slice(0, -1))).toMatchObject({ code: 'ERR_TRUNCATED', region: 'columns' });
  });
});
