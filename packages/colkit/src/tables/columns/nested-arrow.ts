// Lists, structs and maps of an Arrow batch -> columns of text, each value as JSON: numbers as numbers where they are
// exact, else as texts, and so bytes (base64) and moments. Children are read as columns, once, whatever holds them.
import { TypedValues, Utf8Texts, arrowColumns, isValid } from '@colkit/table';
import type { ArrowTableLike } from '@colkit/table';
import { plainArrow } from './arrow-plain.ts';
import type { ArrowType } from './arrow-plain.ts';
import { jsonObject, jsonTextOf } from './json-text.ts';

/** What is used of Apache's parts of a column. */
interface Data {
  readonly length: number;
  /** Where its validity starts, in bits. */
  readonly offset: number;
  readonly nullCount: number;
  readonly nullBitmap?: Uint8Array | null;
  readonly type: ArrowType & { readonly listSize?: number; readonly children?: readonly { readonly name: string }[] };
  /** Of lists and maps: where each begins, and the last one ends. */
  readonly valueOffsets?: ArrayLike<number | bigint>;
  readonly children: readonly Data[];
}

interface Vector {
  readonly type: ArrowType;
  readonly length: number;
  readonly data: readonly Data[];
  get(row: number): unknown;
}

/** What is used of Apache's library. */
export interface ArrowVectors {
  readonly Vector: new (data: Data[]) => Vector;
}

// Type ids of the Arrow specification.
const [UTF8, LIST, STRUCT, FIXED_SIZE_LIST, MAP, LARGE_LIST] = [5, 12, 13, 16, 17, 21];
const NESTED: ReadonlySet<number> = new Set([LIST, STRUCT, FIXED_SIZE_LIST, MAP, LARGE_LIST]);
const NULL_TEXT = 'null';

export function isNestedType({ typeId }: Pick<ArrowType, 'typeId'>): boolean {
  return NESTED.has(typeId);
}

/** @throws UnsupportedError ERR_DTYPE for what has no form in JSON; ArgumentError ERR_VALUE for damaged texts. */
export function nestedAsText(table: ArrowTableLike, arrow: ArrowVectors): ArrowTableLike {
  const { numRows, schema } = table;
  const texts = schema.fields.map(({ name }, position) => {
    const vector = table.getChildAt(position) as Vector;
    return isNestedType(vector.type) ? textVector(vector, new JsonTexts(arrow, name)) : null;
  });
  return { numRows, schema, getChildAt: (position) => texts[position] ?? table.getChildAt(position) };
}

/** A vector of texts, by its shape. */
function textVector({ length, data }: Vector, json: JsonTexts): object {
  return { length, type: { typeId: UTF8, toString: () => 'Utf8' }, data: data.map((part) => textData(part, json)) };
}

function textData(part: Data, json: JsonTexts): object {
  const { length, nullCount } = part;
  const encoder = new TextEncoder();
  const texts = json.of(part).map((text, row) => encoder.encode(isNull(part, row) ? '' : text));
  const valueOffsets = new Int32Array(length + 1);
  for (const [row, { byteLength }] of texts.entries()) valueOffsets[row + 1] = (valueOffsets[row] ?? 0) + byteLength;
  const values = new Uint8Array(valueOffsets[length] ?? 0);
  for (const [row, text] of texts.entries()) values.set(text, valueOffsets[row]);
  return { length, offset: part.offset, nullCount, nullBitmap: part.nullBitmap, values, valueOffsets };
}

function isNull({ nullCount, nullBitmap, offset }: Data, row: number): boolean {
  return nullCount > 0 && !isValid(nullBitmap ?? null, offset + row);
}

/** The values of one column, and of all that it holds. */
class JsonTexts {
  readonly #arrow: ArrowVectors;
  readonly #name: string;

  constructor(arrow: ArrowVectors, name: string) {
    this.#arrow = arrow;
    this.#name = name;
  }

  /** A text for each row. */
  of(data: Data): string[] {
    // Their children may be undefined.
    if (data.length === 0) return [];
    const texts = this.#some(data);
    return data.nullCount === 0 ? texts : texts.map((text, row) => (isNull(data, row) ? NULL_TEXT : text));
  }

  #some(data: Data): string[] {
    switch (data.type.typeId) {
      case STRUCT:
        return this.#structs(data);
      case FIXED_SIZE_LIST: {
        const { listSize: size = 0 } = data.type;
        return this.#lists(data, (row) => row * size);
      }
      case LIST:
      case LARGE_LIST: {
        const { valueOffsets: offsets = [] } = data;
        return this.#lists(data, (row) => Number(offsets[row]));
      }
      case MAP:
        return this.#maps(data);
      default:
        return this.#leaves(data);
    }
  }

  #structs({ length, type, children }: Data): string[] {
    const fields = (type.children ?? []).map(({ name }, position) => ({
      name: JSON.stringify(name),
      texts: this.of(children[position] as Data),
    }));
    return Array.from({ length }, (_, row) =>
      jsonObject(fields.map(({ name, texts }) => [name, texts[row] ?? NULL_TEXT])),
    );
  }

  /** @param start where the items of a row begin, and of the row before end. */
  #lists({ length, children }: Data, start: (row: number) => number): string[] {
    const items = this.of(children[0] as Data);
    return Array.from({ length }, (_, row) => `[${items.slice(start(row), start(row + 1)).join(',')}]`);
  }

  #maps({ length, valueOffsets: offsets = [], children }: Data): string[] {
    const [keys, values] = (children[0] as Data).children.map((child) => this.of(child));
    const members = (keys ?? []).map((key, at) => [key, values?.[at] ?? NULL_TEXT] as const);
    const start = (row: number): number => Number(offsets[row]);
    return Array.from({ length }, (_, row) => jsonObject(members.slice(start(row), start(row + 1))));
  }

  #leaves(data: Data): string[] {
    const vector = new this.#arrow.Vector([data]);
    const { length } = data;
    const name = this.#name;
    const one = { numRows: length, schema: { fields: [{ name }] }, getChildAt: () => vector };
    const [column] = arrowColumns(plainArrow(one), 'allow');
    const input = column?.[1];
    if (input instanceof Utf8Texts) return textsOf(input).map((text) => JSON.stringify(text));
    const typed = input instanceof TypedValues ? input : (input as { readonly values: TypedValues }).values;
    const { info, values } = typed;
    const jsonText = jsonTextOf(info);
    const valueAt = (row: number): unknown =>
      info.kind === 'bool' ? values[row] === 1 : info.name === 'float16' ? vector.get(row) : values[row];
    return Array.from({ length }, (_, row) => {
      const value = valueAt(row);
      return value === null ? NULL_TEXT : jsonText(value);
    });
  }
}

function textsOf(input: Utf8Texts): string[] {
  const { bytes, ends, codes } = input.slice(0, input.rowCount);
  // A mark at the beginning of a text is one of its characters.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const texts = Array.from(ends, (end, at) => decoder.decode(bytes.subarray(at === 0 ? 0 : ends[at - 1], end)));
  return codes === null ? texts : Array.from(codes, (code) => texts[code] ?? '');
}
