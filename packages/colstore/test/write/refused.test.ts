// What is refused with nothing written, and disks that fail.
import { onFiles } from '@colkit/io/durable';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WatchedFiles, failing } from '@colkit/testkit/watched-files';
import { openSync, typed, write, writeSync } from '../../src/index.ts';
import type { TableInput, WriteOptions } from '../../src/index.ts';
import { errorOf } from '../support/files.ts';
import { rejection } from './rejection.ts';

let folder = '';

let path = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'colstore-write-'));
  path = join(folder, 'data.cstore');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('what is refused, with nothing written', () => {
  const wrong: readonly (readonly [string, unknown, WriteOptions, object])[] = [
    ['no columns', {}, {}, { name: 'ArgumentError', code: 'ERR_SCHEMA' }],
    [
      'ragged columns',
      { a: Int8Array.of(1), b: Int8Array.of(1, 2) },
      {},
      { name: 'ArgumentError', code: 'ERR_SCHEMA' },
    ],
    [
      'repeated names',
      [
        ['a', Int8Array.of(1)],
        ['a', Int8Array.of(1)],
      ],
      {},
      { name: 'ArgumentError', code: 'ERR_SCHEMA' },
    ],
    ['text without a width', { a: ['x'] }, {}, { name: 'UnsupportedError', code: 'ERR_DTYPE' }],
    ['bytes without a width', { a: [new Uint8Array(3)] }, {}, { name: 'UnsupportedError', code: 'ERR_DTYPE' }],
    ['float128', { a: typed('float128', new Uint8Array(16)) }, {}, { name: 'UnsupportedError', code: 'ERR_DTYPE' }],
    ['text that is too long', { a: typed('S2', ['abc']) }, {}, { name: 'ArgumentError', code: 'ERR_VALUE' }],
    ['text outside of S', { a: typed('S2', ['日']) }, {}, { name: 'ArgumentError', code: 'ERR_VALUE' }],
    ['nulls', { a: [1, null] }, {}, { name: 'ArgumentError', code: 'ERR_VALUE', found: 'null at row 1' }],
    ['integers out of range', { a: typed('int8', [1, 200]) }, {}, { name: 'ArgumentError', code: 'ERR_VALUE' }],
    ['no table', 'text', {}, { name: 'ArgumentError' }],
    ['null', null, {}, { name: 'ArgumentError' }],
    ['an unknown layout', { a: [1] }, { layout: 'F' as 'flat' }, { name: 'ArgumentError', argument: 'layout' }],
    ['an unknown durability', { a: [1] }, { durability: 'some' as 'none' }, { name: 'ArgumentError' }],
    [
      'a schema of other names',
      { a: [1] },
      { schema: { b: 'float64' } },
      { name: 'ArgumentError', code: 'ERR_SCHEMA' },
    ],
  ];

  it.each(wrong)('%s', async (_, data, options, expected) => {
    writeFileSync(path, 'old');
    const operations = new WatchedFiles((operation) => {
      throw new Error(`touched the disk: ${operation.kind}`);
    });
    expect(
      await rejection(write(path, data as TableInput, onFiles(operations, { overwrite: true, ...options }))),
    ).toMatchObject(expected);
    expect(
      errorOf(() => writeSync(path, data as TableInput, onFiles(operations, { overwrite: true, ...options }))),
    ).toMatchObject(expected);
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  it('names beyond what a reader takes', () => {
    const error = errorOf(() => writeSync(path, { ['x'.repeat(33 * 1024 * 1024)]: Int32Array.of(1) }));
    expect(error).toMatchObject({ name: 'LimitError', code: 'ERR_METADATA_TOO_LARGE' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('an existing file, unless told otherwise', async () => {
    writeFileSync(path, 'old');
    expect(await rejection(write(path, { a: [1] }))).toMatchObject({ name: 'IoError', code: 'ERR_EXISTS', path });
    expect(errorOf(() => writeSync(path, { a: [1] }))).toMatchObject({ name: 'IoError', code: 'ERR_EXISTS' });
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  it('a folder, a missing folder, an empty path', async () => {
    mkdirSync(path);
    expect(await rejection(write(path, { a: [1] }, { overwrite: true }))).toMatchObject({
      name: 'IoError',
      code: 'ERR_WRITE',
    });
    expect(await rejection(write(join(folder, 'none', 'x.cstore'), { a: [1] }))).toMatchObject({ name: 'IoError' });
    expect(await rejection(write('', { a: [1] }))).toMatchObject({ name: 'ArgumentError', argument: 'path' });
  });
});

describe('disks that fail', () => {
  const data = { x: Float64Array.from({ length: 4000 }, Math.sqrt) };
  const cases: readonly (readonly [string, () => WatchedFiles])[] = [
    ['full', () => new WatchedFiles(failing('write', 'ENOSPC', 3))],
    ['full at the first byte', () => new WatchedFiles(failing('write', 'ENOSPC'))],
    ['unable to sync', () => new WatchedFiles(failing('sync', 'EIO'))],
    ['with a read-only folder', () => new WatchedFiles(failing('create', 'EACCES'))],
    ['read-only', () => new WatchedFiles(failing('create', 'EROFS'))],
    ['unable to rename', () => new WatchedFiles(failing('rename', 'EPERM'))],
    ['unable to close', () => new WatchedFiles(failing('close', 'EIO'))],
  ];

  it.each(cases)('%s', async (_, operations) => {
    await write(path, { old: Int8Array.of(1) });
    const before = readFileSync(path);
    expect(
      await rejection(write(path, data, onFiles(operations(), { overwrite: true, batchRows: 500 }))),
    ).toMatchObject({ name: 'IoError', code: 'ERR_WRITE', path });
    expect(
      errorOf(() => writeSync(path, data, onFiles(operations(), { overwrite: true, batchRows: 500 }))),
    ).toMatchObject({ name: 'IoError', code: 'ERR_WRITE', path });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual(['data.cstore']);
    await write(path, data, { overwrite: true });
    expect(openSync(path).column('x').toArraySync()).toEqual(data.x);
  });
});
