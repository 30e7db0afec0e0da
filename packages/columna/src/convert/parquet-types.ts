// Parquet's types <-> those of a .cna file. Flat columns only; what is not exact is refused, but for decimals, which become float64.
import { UnsupportedError } from '@colkit/io';
import type { DType } from '@colkit/io';
import type { SchemaElement, SchemaTree } from 'hyparquet';

export interface ParquetColumn {
  readonly name: string;
  readonly dtype: DType;
  readonly nullable: boolean;
  /** Digits behind the point of a DECIMAL; null for all others. */
  readonly scale: number | null;
  /** Integers that come in a wider type, or signed where they are not, are brought into their own by the writer's checks. */
  readonly element: SchemaElement;
}

/** The columns of a file. @throws UnsupportedError ERR_DTYPE for nested and repeated columns and types that a .cna file does not have. */
export function parquetColumns(root: SchemaTree, path: string): ParquetColumn[] {
  return root.children.map(({ element, children }) => {
    const { name, repetition_type: repetition } = element;
    const dtype = children.length > 0 || repetition === 'REPEATED' ? null : dtypeOf(element);
    if (dtype === null) {
      const what = children.length > 0 || repetition === 'REPEATED' ? 'a nested or repeated column' : `the Parquet type ${typeText(element)}`;
      throw new UnsupportedError('ERR_DTYPE', what, `${path}: column ${JSON.stringify(name)}: a .cna file has no type for ${what}; leave it out with { columns }`);
    }
    return { name, dtype, nullable: repetition !== 'REQUIRED', scale: isDecimal(element) ? (element.scale ?? 0) : null, element };
  });
}

function typeText({ type, converted_type: converted, logical_type: logical }: SchemaElement): string {
  return [type, converted, logical?.type].filter((part) => part !== undefined).join(' ');
}

export function isDecimal({ converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return converted === 'DECIMAL' || logical?.type === 'DECIMAL';
}

function dtypeOf(element: SchemaElement): DType | null {
  const { type, converted_type: converted, logical_type: logical } = element;
  if (isDecimal(element)) return 'float64';
  if (logical?.type === 'TIMESTAMP') return logical.unit === 'MILLIS' ? 'datetime64[ms]' : logical.unit === 'MICROS' ? 'datetime64[us]' : 'datetime64[ns]';
  if (logical?.type === 'INTEGER') return `${logical.isSigned ? 'int' : 'uint'}${logical.bitWidth as 8 | 16 | 32 | 64}`;
  switch (converted) {
    case 'UTF8':
    case 'ENUM':
    case 'JSON': return 'string';
    case 'DATE': return 'datetime64[D]';
    case 'TIMESTAMP_MILLIS': return 'datetime64[ms]';
    case 'TIMESTAMP_MICROS': return 'datetime64[us]';
    case 'INT_8': return 'int8';
    case 'INT_16': return 'int16';
    case 'INT_32': return 'int32';
    case 'INT_64': return 'int64';
    case 'UINT_8': return 'uint8';
    case 'UINT_16': return 'uint16';
    case 'UINT_32': return 'uint32';
    case 'UINT_64': return 'uint64';
    case undefined: break;
    default: return null;
  }
  switch (logical?.type) {
    case 'STRING':
    case 'ENUM':
    case 'JSON':
    case 'UUID': return 'string';
    case 'DATE': return 'datetime64[D]';
    case 'FLOAT16': return 'float32';
    case undefined: break;
    default: return null;
  }
  switch (type) {
    case 'BOOLEAN': return 'bool';
    case 'INT32': return 'int32';
    case 'INT64': return 'int64';
    case 'INT96': return 'datetime64[ns]';
    case 'FLOAT': return 'float32';
    case 'DOUBLE': return 'float64';
    case 'BYTE_ARRAY':
    case 'FIXED_LEN_BYTE_ARRAY': return 'binary';
    default: return null;
  }
}

/** The element of a column that is written. @throws UnsupportedError ERR_DTYPE. */
export function parquetElement(name: string, dtype: DType, nullable: boolean): SchemaElement {
  const type = elementType(dtype);
  if (type === null) throw new UnsupportedError('ERR_DTYPE', dtype, `column ${JSON.stringify(name)}: ${dtype} is not written to Parquet`);
  return { name, repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED', ...type };
}

function elementType(dtype: DType): Partial<SchemaElement> | null {
  switch (dtype) {
    case 'bool': return { type: 'BOOLEAN' };
    case 'int8': return { type: 'INT32', converted_type: 'INT_8' };
    case 'int16': return { type: 'INT32', converted_type: 'INT_16' };
    case 'int32': return { type: 'INT32' };
    case 'int64': return { type: 'INT64' };
    case 'uint8': return { type: 'INT32', converted_type: 'UINT_8' };
    case 'uint16': return { type: 'INT32', converted_type: 'UINT_16' };
    case 'uint32': return { type: 'INT32', converted_type: 'UINT_32' };
    case 'uint64': return { type: 'INT64', converted_type: 'UINT_64' };
    case 'float32': return { type: 'FLOAT' };
    case 'float64': return { type: 'DOUBLE' };
    case 'datetime64[D]': return { type: 'INT32', converted_type: 'DATE' };
    case 'datetime64[us]': return { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' } };
    case 'string': return { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
    case 'binary': return { type: 'BYTE_ARRAY' };
    default: return null;
  }
}
