// Which columns a view shows, with everything about them that a read needs and that does not depend on the rows: made once and shared by all views with the same columns,
// because a small read is over in microseconds.
import { ArgumentError, UnknownColumnError, parseDType, typedArrayOver } from '@colkit/io';
import type { DTypeInfo, FixedArray } from '@colkit/io';
import type { Field } from '../source.ts';

/** What makes the array of a column over its bytes: a constructor where there is a plain one, which saves most of the time of asking by dtype. */
export type ArrayConstructor = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => FixedArray;

export class Projection {
  readonly fields: readonly Field[];
  readonly names: readonly string[];
  /** The source's column numbers. */
  readonly columns: readonly number[];
  readonly infos: readonly DTypeInfo[];
  /** Whether every column is an array over its bytes: fixed width, never null, and not text. */
  readonly direct: boolean;
  #constructors: readonly (ArrayConstructor | null)[] | null = null;
  #positions: ReadonlyMap<string, number> | null = null;

  constructor(fields: readonly Field[], columns: readonly number[], infos: readonly DTypeInfo[]) {
    this.fields = fields;
    this.names = fields.map(({ name }) => name);
    this.columns = columns;
    this.infos = infos;
    this.direct = fields.every((field, position) => !field.nullable && isDirect(infos[position]));
  }

  /** All columns of a source. */
  static of(fields: readonly Field[]): Projection {
    return new Projection(fields, fields.map((_, column) => column), fields.map(({ dtype }) => parseDType(dtype)));
  }

  /** One per column, for 8-byte aligned bytes; null where `typedArrayOver` must do it. */
  get constructors(): readonly (ArrayConstructor | null)[] {
    this.#constructors ??= this.infos.map(constructorOf);
    return this.#constructors;
  }

  /** Where a column stands in this projection. @throws UnknownColumnError. */
  position(name: string): number {
    this.#positions ??= new Map(this.names.map((own, position) => [own, position]));
    const position = this.#positions.get(name);
    if (position === undefined) throw new UnknownColumnError(name, this.names);
    return position;
  }

  /** These columns, in this order. @throws UnknownColumnError; ArgumentError ERR_ARGUMENT where a name comes twice. */
  select(names: readonly string[]): Projection {
    const positions = names.map((name) => this.position(name));
    if (new Set(positions).size !== positions.length) {
      const twice = names.find((name, position) => names.indexOf(name) !== position) ?? '';
      throw new ArgumentError('ERR_ARGUMENT', 'select', 'each column once', `${JSON.stringify(twice)} twice`);
    }
    return this.#at(positions);
  }

  /** All columns but these. @throws UnknownColumnError. */
  drop(names: readonly string[]): Projection {
    const dropped = new Set(names.map((name) => this.position(name)));
    return this.#at(this.fields.map((_, position) => position).filter((position) => !dropped.has(position)));
  }

  #at(positions: readonly number[]): Projection {
    return new Projection(pick(this.fields, positions), pick(this.columns, positions), pick(this.infos, positions));
  }
}

function pick<T>(items: readonly T[], positions: readonly number[]): readonly T[] {
  return positions.flatMap((position) => items.slice(position, position + 1));
}

function constructorOf(info: DTypeInfo): ArrayConstructor | null {
  // The half-precision array of older runtimes is a proxy of its own.
  if (info.itemBytes === 0 || info.name === 'float16') return null;
  return typedArrayOver(info, new Uint8Array(0)).constructor as ArrayConstructor;
}

function isDirect(info: DTypeInfo | undefined): boolean {
  return info !== undefined && info.itemBytes > 0 && info.kind !== 'bytes' && info.kind !== 'unicode' && info.name !== 'float128';
}
