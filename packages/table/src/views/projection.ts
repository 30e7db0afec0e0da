// Which columns a view shows, with everything about them that a read needs and that does not depend on the rows: worked
// out once per source column and shared by all views, because a small read is over in microseconds.
import {
  ArgumentError,
  UnknownColumnError,
  describeValue,
  isFixedText,
  isFloat,
  isRawItem,
  parseDType,
  typedArrayOver,
} from '@colkit/io';
import type { DType, DTypeInfo, FixedArray } from '@colkit/io';
import type { Field } from '../source.ts';

/** Makes the array of a column over its bytes. */
type ArrayConstructor = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => FixedArray;

export interface ProjectedColumn {
  readonly field: Field;
  /** The source's number of it. */
  readonly number: number;
  readonly info: DTypeInfo;
  /** For 8-byte aligned bytes; null where `typedArrayOver` must do it (it costs several times more), or nothing can. */
  readonly arrayType: ArrayConstructor | null;
  /** Whether its values are an array over its bytes: fixed width, never null, and not text. */
  readonly direct: boolean;
}

/** One by one, or one array of them. */
export type Listed<Each> = readonly Each[] | readonly [readonly Each[]];
/** What `select` and `drop` take: names one by one, or one array of them. */
export type Names<Name extends string = string> = Listed<Name>;

/** Frozen. */
interface ShownColumns {
  readonly names: readonly string[];
  readonly fields: readonly Field[];
}

export class Projection {
  readonly columns: readonly ProjectedColumn[];
  readonly names: readonly string[];
  /** The source's column numbers. */
  readonly numbers: readonly number[];
  /** Whether all columns are direct. */
  readonly direct: boolean;
  #fields: readonly Field[] | null = null;
  #shown: ShownColumns | null = null;
  #positions: ReadonlyMap<string, number> | null = null;

  constructor(columns: readonly ProjectedColumn[]) {
    const names = new Array<string>(columns.length);
    const numbers = new Array<number>(columns.length);
    let direct = true;
    for (let position = 0; position < columns.length; position += 1) {
      const column = columns[position] as ProjectedColumn;
      names[position] = column.field.name;
      numbers[position] = column.number;
      direct &&= column.direct;
    }
    this.columns = columns;
    this.names = names;
    this.numbers = numbers;
    this.direct = direct;
  }

  /** All columns of a source. */
  static of(fields: readonly Field[]): Projection {
    // A table may have ten thousand columns of three types.
    const types = new Map<DType, ColumnKind>();
    return new Projection(
      fields.map((field, number) => {
        let kind = types.get(field.dtype);
        if (kind === undefined) types.set(field.dtype, (kind = kindOf(field.dtype)));
        const { info, arrayType, direct } = kind;
        return { field, number, info, arrayType, direct: direct && !field.nullable };
      }),
    );
  }

  get fields(): readonly Field[] {
    this.#fields ??= this.columns.map(({ field }) => field);
    return this.#fields;
  }

  /** What users are given: who sorts the names must not sort them for all other reads. */
  get shown(): ShownColumns {
    this.#shown ??= {
      names: Object.freeze([...this.names]),
      fields: Object.freeze(this.fields.map((field) => Object.freeze({ ...field }))),
    };
    return this.#shown;
  }

  /** Everything about the column at a position of this projection. */
  at(position: number): ProjectedColumn {
    const column = this.columns[position];
    if (column === undefined)
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'column',
        `a number below ${String(this.columns.length)}`,
        String(position),
      );
    return column;
  }

  /** Where a column stands in this projection. @throws UnknownColumnError; ArgumentError for what is no name. */
  position(name: string, operation: string): number {
    if (typeof (name as unknown) !== 'string')
      throw new ArgumentError(
        'ERR_ARGUMENT',
        operation,
        operation === 'column' ? 'a column name' : 'column names, or one array of them',
        describeValue(name),
      );
    this.#positions ??= this.#allPositions();
    const position = this.#positions.get(name);
    if (position === undefined) throw new UnknownColumnError(name, this.names);
    return position;
  }

  /** One column. @throws UnknownColumnError; ArgumentError for what is no name. */
  one(name: string): Projection {
    return new Projection([this.at(this.position(name, 'column'))]);
  }

  /** These columns, in this order. @throws UnknownColumnError; ArgumentError ERR_ARGUMENT where a name comes twice. */
  select(given: Names): Projection {
    const names = listed(given);
    if (new Set(names).size !== names.length) {
      const twice = names.find((name, position) => names.indexOf(name) !== position) ?? '';
      throw new ArgumentError('ERR_ARGUMENT', 'select', 'each column once', `${describeValue(twice)} twice`);
    }
    return new Projection(names.map((name) => this.at(this.position(name, 'select'))));
  }

  /** All columns but these. @throws UnknownColumnError. */
  drop(names: Names): Projection {
    const dropped = new Set(listed(names).map((name) => this.position(name, 'drop')));
    return new Projection(this.columns.filter((_, position) => !dropped.has(position)));
  }

  #allPositions(): ReadonlyMap<string, number> {
    const positions = new Map<string, number>();
    for (let position = 0; position < this.names.length; position += 1)
      positions.set(this.names[position] as string, position);
    return positions;
  }
}

/** What was given, one by one or as one array. */
export function listed<Each>(given: Listed<Each>): readonly Each[] {
  const [first] = given;
  return given.length === 1 && Array.isArray(first) ? Array.from(first as readonly Each[]) : (given as readonly Each[]);
}

/** What follows from the element type alone. */
interface ColumnKind {
  readonly info: DTypeInfo;
  readonly arrayType: ArrayConstructor | null;
  /** Direct, where the column is never null. */
  readonly direct: boolean;
}

function kindOf(dtype: DType): ColumnKind {
  const info = parseDType(dtype);
  return {
    info,
    arrayType: arrayTypeOf(info),
    direct: info.itemBytes > 0 && !isFixedText(info),
  };
}

function arrayTypeOf(info: DTypeInfo): ArrayConstructor | null {
  // The half-precision array of older runtimes is a proxy, and float128 has none.
  if (info.itemBytes === 0 || (isFloat(info) && info.itemBytes === 2) || isRawItem(info)) return null;
  return typedArrayOver(info, new Uint8Array(0)).constructor as ArrayConstructor;
}
