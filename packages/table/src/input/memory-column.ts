// A column of values in memory -> an input column: checked as a whole when it is made, handed out range by range.
import {
  ArgumentError,
  attached,
  bytesOfArray,
  dtypeFacts,
  dtypeOfArray,
  isAttached,
  isBinary,
  ofThisRealm,
} from '@colkit/io';
import type { DTypeInfo, FixedArray } from '@colkit/io';
import type { Operation } from '@colkit/io/effects';
import { isText } from '../output/forms/column-form.ts';
import type { Chunk } from '../chunk/chunk.ts';
import { ValidityBuilder } from '../chunk/validity-builder.ts';
import type { Field } from '../source.ts';
import { isValid, sliceValidity } from '../validity.ts';
import { encodeFixedStringsUnchecked, fixedStringFault } from '../values/fixed-strings.ts';
import type { FixedStringType } from '../values/fixed-strings.ts';
import { isWellFormed } from '../values/well-formed.ts';
import { encodeFixed, refuse } from './encode.ts';
import { readAtOnce } from './input-columns.ts';
import type { InputColumn } from './input-columns.ts';
import { columnLabel } from './typed.ts';
import type { PlainValues } from './typed.ts';
import { Utf8Texts } from './utf8-texts.ts';

/** Items of every row, in the form in which they are kept until they are asked for. */
type Stored =
  | { readonly kind: 'packed'; readonly bytes: Uint8Array }
  | { readonly kind: 'texts'; readonly type: FixedStringType; readonly texts: readonly (string | null)[] }
  | { readonly kind: 'values'; readonly values: readonly (string | Uint8Array)[] }
  | { readonly kind: 'utf8'; readonly texts: Utf8Texts };

interface Checked {
  readonly stored: Stored;
  readonly rowCount: number;
  readonly validity: Uint8Array | null;
}

export class MemoryColumn implements InputColumn {
  readonly field: Field;
  readonly info: DTypeInfo;
  readonly rowCount: number;
  /** The first row that is null; -1: none. */
  readonly firstNull: number;
  readonly #stored: Stored;
  readonly #validity: Uint8Array | null;

  /**
   * @param nullable what the field says; undefined: whether there is a null.
   * @param validity which rows are not null, one bit a row, for values that cannot say it themselves.
   * @throws ArgumentError ERR_VALUE naming column and row; ERR_ARGUMENT for a validity that is too short.
   */
  constructor(
    name: string,
    info: DTypeInfo,
    values: PlainValues | Utf8Texts,
    nullable: boolean | undefined,
    validity: Uint8Array | null,
  ) {
    const column = columnLabel(name);
    const checked = checkValues(info, values, column);
    if (validity !== null && validity.length * 8 < checked.rowCount)
      throw new ArgumentError(
        'ERR_ARGUMENT',
        `validity of ${column}`,
        `one bit for each of ${String(checked.rowCount)} rows`,
        `${String(validity.length)} bytes`,
      );
    this.info = info;
    this.rowCount = checked.rowCount;
    const both = bothValid(checked.validity, validity);
    const row = both === null ? -1 : firstNull(both, checked.rowCount);
    this.firstNull = row;
    this.#validity = row === -1 ? null : both;
    this.#stored =
      validity === null || this.#validity === null
        ? checked.stored
        : withoutNulls(checked.stored, this.#validity, info.itemBytes, checked.rowCount);
    this.field = { name, dtype: info.name, nullable: nullable ?? both !== null };
    if (nullable === false && row !== -1) throw nullRefused(name, row);
  }

  read(start: number, end: number): Operation<Chunk> {
    return readAtOnce(() => this.#chunk(start, end));
  }

  /** Of values in memory of the caller's, which may have gone to another thread since they were checked. */
  #chunk(start: number, end: number): Chunk {
    const stored = this.#stored;
    for (const memory of [stored.kind === 'packed' ? stored.bytes : null, this.#validity])
      if (!isAttached(memory)) attached(memory, 'write', columnLabel(this.field.name));
    const validity =
      this.#validity === null
        ? null
        : start % 8 === 0 && end === this.rowCount
          ? this.#validity.subarray(start / 8)
          : sliceValidity(this.#validity, start, end);
    const { itemBytes } = this.info;
    const rowCount = end - start;
    switch (stored.kind) {
      case 'packed':
        return { kind: 'fixed', rowCount, bytes: stored.bytes.subarray(start * itemBytes, end * itemBytes), validity };
      case 'texts': {
        const bytes = new Uint8Array(rowCount * itemBytes);
        encodeFixedStringsUnchecked(stored.texts, stored.type, start, end, bytes);
        return { kind: 'fixed', rowCount, bytes, validity };
      }
      case 'values':
        return {
          kind: 'values',
          rowCount,
          values: start === 0 && end === this.rowCount ? stored.values : stored.values.slice(start, end),
          validity,
        };
      case 'utf8':
        return { ...stored.texts.slice(start, end), validity };
    }
  }
}

export function nullRefused(name: string, row: number): ArgumentError {
  return new ArgumentError('ERR_VALUE', columnLabel(name), 'no nulls', `null at row ${String(row)}`);
}

function checkValues(info: DTypeInfo, values: PlainValues | Utf8Texts, column: string): Checked {
  if (values instanceof Utf8Texts) {
    const { rowCount, validity } = values;
    return { stored: { kind: 'utf8', texts: values }, rowCount, validity };
  }
  if (isText(info)) return checkTexts(info, values, column);
  if (info.itemBytes === 0) return checkVariable(!isBinary(info), values, column);
  const { bytes, validity } = encodeFixed(info, values, column);
  return { stored: { kind: 'packed', bytes }, rowCount: bytes.length / info.itemBytes, validity };
}

function checkTexts(type: FixedStringType & DTypeInfo, values: PlainValues, column: string): Checked {
  if (dtypeOfArray(values) === 'uint8') {
    const bytes = bytesOfArray(attached(values as FixedArray, 'write', column));
    if (bytes.length % type.itemBytes !== 0)
      throw new ArgumentError(
        'ERR_VALUE',
        column,
        `text, or packed raw items of ${String(type.itemBytes)} bytes`,
        `${String(bytes.length)} bytes`,
      );
    return {
      stored: { kind: 'packed', bytes },
      rowCount: bytes.length / type.itemBytes,
      validity: null,
    };
  }
  const texts = new Array<string | null>(values.length);
  const validity = new ValidityBuilder(values.length);
  for (let row = 0; row < values.length; row += 1) {
    const value: unknown = values[row];
    if (value === null) {
      validity.setNull(row);
      texts[row] = null;
    } else texts[row] = fittingText(type, value, row, column);
  }
  return { stored: { kind: 'texts', type, texts }, rowCount: texts.length, validity: validity.finish() };
}

function fittingText(type: FixedStringType & DTypeInfo, given: unknown, row: number, column: string): string {
  const value = ofThisRealm(given);
  const isOfBytes = dtypeFacts(type).unitBytes === 1;
  if (value instanceof Uint8Array && isOfBytes) {
    if (value.length > type.length)
      throw new ArgumentError(
        'ERR_VALUE',
        column,
        `at most ${String(type.length)} bytes (${type.name})`,
        `${String(value.length)} bytes at row ${String(row)}`,
      );
    return Array.from(attached(value, 'write', column), (byte) => String.fromCharCode(byte)).join('');
  }
  if (typeof value !== 'string') throw refuse(column, isOfBytes ? 'text or Uint8Arrays' : 'text', value, row);
  const fault = fixedStringFault(value, type);
  if (fault !== null)
    throw new ArgumentError('ERR_VALUE', column, `text that fits ${type.name}`, `${fault} at row ${String(row)}`);
  return value;
}

function checkVariable(isOfText: boolean, values: PlainValues, column: string): Checked {
  if (!Array.isArray(values))
    throw new ArgumentError(
      'ERR_VALUE',
      column,
      isOfText ? 'string[]' : 'Uint8Array[]',
      `an array of ${dtypeOfArray(values) ?? 'no known type'}`,
    );
  const validity = new ValidityBuilder(values.length);
  const kept = new Array<string | Uint8Array>(values.length);
  for (let row = 0; row < values.length; row += 1) {
    const value: unknown = values[row];
    if (value === null) {
      validity.setNull(row);
      kept[row] = isOfText ? '' : new Uint8Array(0);
    } else kept[row] = variableValue(isOfText, value, row, column);
  }
  return { stored: { kind: 'values', values: kept }, rowCount: kept.length, validity: validity.finish() };
}

function variableValue(isOfText: boolean, given: unknown, row: number, column: string): string | Uint8Array {
  const value = ofThisRealm(given);
  if (!isOfText && value instanceof Uint8Array) return attached(value, 'write', column);
  if (!isOfText || typeof value !== 'string') throw refuse(column, isOfText ? 'text' : 'Uint8Arrays', value, row);
  if (!isWellFormed(value))
    throw new ArgumentError('ERR_VALUE', column, 'well-formed text', `a lone surrogate at row ${String(row)}`);
  return value;
}

/** Rows that are not null by either. */
function bothValid(one: Uint8Array | null, other: Uint8Array | null): Uint8Array | null {
  if (one === null || other === null) return one ?? other;
  return one.map((byte, index) => byte & (other[index] ?? 0));
}

/** The first row whose bit is 0; -1: none. */
function firstNull(validity: Uint8Array, rowCount: number): number {
  for (let row = 0; row < rowCount; row += 1) {
    if (validity[row >>> 3] === 0xff) row |= 7;
    else if (!isValid(validity, row)) return row;
  }
  return -1;
}

/**
 * Whether a null row holds another value than zero, as few do of columns that a program made. @param clears whether
 * they become zero.
 */
function holdsNulls(bytes: Uint8Array, validity: Uint8Array, itemBytes: number, rowCount: number, clears = false) {
  for (let row = 0; row < rowCount; row += 1) {
    if (validity[row >>> 3] === 0xff) row |= 7;
    else if (!isValid(validity, row))
      for (let at = row * itemBytes; at < (row + 1) * itemBytes; at += 1) {
        if (bytes[at] === 0) continue;
        if (!clears) return true;
        bytes[at] = 0;
      }
  }
  return false;
}

/** Without the values that a caller left in null rows. */
function withoutNulls(stored: Stored, validity: Uint8Array, itemBytes: number, rowCount: number): Stored {
  const isNull = (row: number): boolean => !isValid(validity, row);
  switch (stored.kind) {
    case 'packed': {
      if (!holdsNulls(stored.bytes, validity, itemBytes, rowCount)) return stored;
      const bytes = stored.bytes.slice();
      holdsNulls(bytes, validity, itemBytes, rowCount, true);
      return { kind: 'packed', bytes };
    }
    case 'texts':
      return { ...stored, texts: stored.texts.map((text, row) => (isNull(row) ? null : text)) };
    // Whoever takes texts as UTF-8 looks at the validity first.
    case 'utf8':
      return stored;
    case 'values':
      return {
        kind: 'values',
        values: stored.values.map((value, row) =>
          !isNull(row) ? value : typeof value === 'string' ? '' : new Uint8Array(0),
        ),
      };
  }
}
