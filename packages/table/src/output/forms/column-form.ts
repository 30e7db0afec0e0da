// A column and the options of a read -> the form in which it comes back, decided before anything is allocated or read.
import {
  ArgumentError,
  attached,
  describeValue,
  dtypeFacts,
  dtypeOfArray,
  isBinary,
  isBool,
  isFixedText,
  isMap,
  isMoment,
  isRawItem,
  isTime,
  isVariableText,
  ofFixedLength,
} from '@colkit/io';
import type { DType, DTypeInfo, FixedArray } from '@colkit/io';
import type { Field } from '../../source.ts';
import type { FixedStringType } from '../../values/fixed-strings.ts';
import type { Form, OutArrays } from '../options.ts';
import type { Projection } from '../../views/projection.ts';

/** How stored items become values. */
type ValueForm =
  /** The typed array of the dtype, over the bytes. */
  | 'array'
  /** The packed items as they are. */
  | 'raw'
  /** 64-bit integers as float64. */
  | 'numbers'
  /** Datetimes as Date; finer than a millisecond refused, or dropped. */
  | 'dates'
  | 'dates-lossy'
  /** S or U items as strings; as codes into distinct strings. */
  | 'text'
  | 'text-codes'
  /** Variable width: as the source gives it; as codes. */
  | 'values'
  | 'codes';

/** What becomes of nulls. 'codes': code -1. */
type NullForm = 'none' | 'list' | 'bitmap' | 'nan' | 'codes';

export interface ColumnForm {
  readonly field: Field;
  readonly info: DTypeInfo;
  readonly values: ValueForm;
  readonly nulls: NullForm;
}

function columnForm(field: Field, info: DTypeInfo, form: Form): ColumnForm {
  const nulls = field.nullable ? nullForm(info, form) : 'none';
  return { field, info, values: valueForm(info, form, nulls), nulls };
}

export function columnForms(projection: Projection, form: Form): readonly ColumnForm[] {
  return projection.columns.map(({ field, info }) => columnForm(field, info, form));
}

export function isText(info: DTypeInfo): info is DTypeInfo & FixedStringType {
  return isFixedText(info);
}

/** Whether the dtype is an int64 or uint64. */
function isWideInteger(info: DTypeInfo): boolean {
  return dtypeFacts(info).domain === 'wide';
}

function comesAsDates(info: DTypeInfo, { dates }: Form): boolean {
  return dates !== 'ticks' && isMoment(info);
}

function nullForm(info: DTypeInfo, form: Form): NullForm {
  if (form.strings === 'dictionary' && dtypeFacts(info).domain === 'text') return 'codes';
  if (form.nulls === 'bitmap') return 'bitmap';
  const hasNan = dtypeFacts(info).hasArray && !comesAsDates(info, form);
  return form.nulls === 'nan' && hasNan ? 'nan' : 'list';
}

function valueForm(info: DTypeInfo, form: Form, nulls: NullForm): ValueForm {
  if (isVariableText(info)) return form.strings === 'dictionary' ? 'codes' : 'values';
  if (isBinary(info)) return 'values';
  if (isText(info)) {
    if (form.strings === 'dictionary') return 'text-codes';
    return form.strings === 'bytes' && (nulls === 'none' || nulls === 'bitmap') ? 'raw' : 'text';
  }
  if (isRawItem(info)) return 'raw';
  if (comesAsDates(info, form)) return form.dates === 'date-lossy' ? 'dates-lossy' : 'dates';
  return isWideInteger(info) && (form.int64 === 'number' || nulls === 'nan') ? 'numbers' : 'array';
}

/**
 * The caller's arrays, one per column; null where there is none.
 * @throws ArgumentError ERR_OUT_BUFFER for a name that is not read, a type or length that does not match, a resizable
 * buffer, a column that does not come as a typed array, or arrays that overlap; ClosedError ERR_DETACHED.
 */
export function parseOut(
  out: OutArrays,
  forms: readonly ColumnForm[],
  rowCount: number,
): readonly (FixedArray | null)[] {
  const given = isMap(out)
    ? new Map<string, FixedArray>(out)
    : new Map(Object.entries(out).filter((entry): entry is [string, FixedArray] => entry[1] !== undefined));
  const arrays = forms.map((column) => {
    const array = given.get(column.field.name);
    given.delete(column.field.name);
    if (array === undefined) return null;
    checkOut(array, column, rowCount);
    return array;
  });
  const names = forms.map(({ field }) => JSON.stringify(field.name)).join(', ');
  for (const name of given.keys())
    throw new ArgumentError(
      'ERR_OUT_BUFFER',
      'out',
      `arrays of the columns that are read: ${names}`,
      describeValue(name),
    );
  checkOverlap(arrays, forms);
  return arrays;
}

function checkOut(array: FixedArray, column: ColumnForm, rowCount: number): void {
  const argument = `out[${JSON.stringify(column.field.name)}]`;
  const expected = arrayDType(column);
  if (expected === null)
    throw new ArgumentError(
      'ERR_OUT_BUFFER',
      argument,
      `none: ${column.field.dtype}${column.field.nullable ? ' (nullable)' : ''} does not come as a typed array here`,
      'an array',
    );
  const length = rowCount * (column.values === 'raw' ? column.info.itemBytes : 1);
  const found = dtypeOfArray(attached(array, 'out', `the array for column ${JSON.stringify(column.field.name)}`));
  const isResizable = found !== null && ofFixedLength<FixedArray>(array) !== array;
  if (found !== expected || array.length !== length || isResizable) {
    throw new ArgumentError(
      'ERR_OUT_BUFFER',
      argument,
      `${String(length)} elements of ${expected}`,
      found === null
        ? describeValue(array)
        : `${String(array.length)} of ${found}${isResizable ? ' in a resizable buffer' : ''}`,
    );
  }
}

/** The element type of the typed array that the column comes as; null where it comes as something else. */
function arrayDType({ info, values, nulls }: ColumnForm): DType | null {
  if (nulls === 'list' || nulls === 'codes') return null;
  switch (values) {
    case 'raw':
      return 'uint8';
    case 'numbers':
      return 'float64';
    case 'array': {
      if (nulls === 'nan' && dtypeFacts(info).toFloats) return 'float64';
      if (isBool(info)) return 'uint8';
      return isTime(info) ? 'int64' : info.name;
    }
    case 'dates':
    case 'dates-lossy':
    case 'text':
    case 'text-codes':
    case 'values':
    case 'codes':
      return null;
  }
}

function checkOverlap(arrays: readonly (FixedArray | null)[], forms: readonly ColumnForm[]): void {
  const placed = arrays.flatMap((array, position) =>
    array === null || array.byteLength === 0 ? [] : [{ array, name: forms[position]?.field.name ?? '' }],
  );
  for (const [position, { array, name }] of placed.entries()) {
    for (const other of placed.slice(position + 1)) {
      const [low, high] = array.byteOffset <= other.array.byteOffset ? [array, other.array] : [other.array, array];
      if (low.buffer === high.buffer && low.byteOffset + low.byteLength > high.byteOffset) {
        throw new ArgumentError(
          'ERR_OUT_BUFFER',
          `out[${JSON.stringify(other.name)}]`,
          'memory of its own',
          `an overlap with the array of ${JSON.stringify(name)}`,
        );
      }
    }
  }
}
