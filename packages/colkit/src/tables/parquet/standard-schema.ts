// A schema of Parquet -> one with the same levels that hyparquet makes the right values of.
//
// Lists as older writers and other libraries have them (`repeated int32 array`, records under `array`, fields that are
// repeated and no more) are as the format has them today, a LIST of `repeated group list` of `element`: of the former
// it makes null of an empty list, or an object of a list. Maps are LISTs of key and value: it makes objects of them,
// which put integers first and have each key once. Members of structs have names without a dot, which no object treats
// in its own way (`__proto__`, integers): it joins names by dots, and makes objects of structs.
import { CorruptFileError } from '@colkit/io';
import type { FileMetaData, SchemaElement } from 'hyparquet';

type Path = readonly string[];

const LIST = 'list';
const ELEMENT = 'element';
const MAP = { type: 'MAP' } as const;

/** What a member of a struct is called in the schema. */
function memberName(stored: string): string {
  return `_${stored.replaceAll('%', '%25').replaceAll('.', '%2E')}`;
}

/** What it is called in the file. */
export function storedName({ name }: SchemaElement): string {
  return name.slice(1).replaceAll('%2E', '.').replaceAll('%25', '%');
}

/** A map, which has no values where it is a set. */
function listOfEntries(map: SchemaElement, { num_children: count }: SchemaElement): SchemaElement {
  return { ...map, converted_type: 'LIST', logical_type: count === 2 ? MAP : { type: 'LIST' } };
}

/** Whether a LIST is a map. */
export function isMap({ logical_type: logical }: SchemaElement): boolean {
  return logical?.type === MAP.type;
}

/** @throws CorruptFileError ERR_METADATA for values of a column that the schema does not have. */
export function standardSchema(metadata: FileMetaData, path: string): FileMetaData {
  const { schema, paths } = new StandardSchema(metadata.schema);
  const pathOf = (stored: Path): string[] => {
    const found = paths.get(keyOf(stored));
    if (found !== undefined) return [...found];
    throw new CorruptFileError('ERR_METADATA', {
      path,
      region: 'Parquet file',
      byteOffset: 0,
      expected: 'columns of its schema',
      found: stored.join('.'),
    });
  };
  const groups = metadata.row_groups.map((group) => ({
    ...group,
    columns: group.columns.map((chunk) => {
      const { meta_data: meta } = chunk;
      return meta === undefined
        ? chunk
        : { ...chunk, meta_data: { ...meta, path_in_schema: pathOf(meta.path_in_schema) } };
    }),
  }));
  return { ...metadata, schema, row_groups: groups };
}

const keyOf = (path: Path): string => JSON.stringify(path);

/** Reads the elements in their order, which is depth first, and writes those of today. */
class StandardSchema {
  readonly schema: SchemaElement[] = [];
  /** Of each column with values: its path today, by that in the file. */
  readonly paths = new Map<string, Path>();
  readonly #stored: readonly SchemaElement[];
  #next = 0;

  constructor(stored: readonly SchemaElement[]) {
    this.#stored = stored;
    const root = this.#take();
    this.schema.push(root);
    this.#children(root, [], []);
  }

  #take(): SchemaElement {
    const element = this.#stored[this.#next++];
    if (element === undefined) throw new RangeError('a schema that ends early');
    return element;
  }

  #children({ num_children: count = 0 }: SchemaElement, stored: Path, path: Path): void {
    for (let child = 0; child < count; child++) this.#field(this.#take(), stored, path);
  }

  /** A field and what it holds. */
  #field(given: SchemaElement, storedParent: Path, parent: Path): void {
    const isColumn = parent.length === 0;
    const element = isColumn ? given : { ...given, name: memberName(given.name) };
    const stored = [...storedParent, given.name];
    const path = [...parent, element.name];
    if (element.repetition_type !== 'REPEATED') this.#node(element, stored, path);
    else {
      this.schema.push({ name: element.name, repetition_type: 'REQUIRED', num_children: 1, converted_type: 'LIST' });
      this.#listOf(element, stored, path);
    }
  }

  /** A field that is not repeated, or whose repetition is told. */
  #node(element: SchemaElement, stored: Path, path: Path): void {
    const { num_children: count = 0, converted_type: kind } = element;
    if (count === 0) {
      this.schema.push(element);
      this.paths.set(keyOf(stored), path);
      return;
    }
    const child = this.#stored[this.#next];
    const holdsItems = count === 1 && child?.repetition_type === 'REPEATED' && (kind === 'LIST' || kind === 'MAP');
    const hasEntries = holdsItems && kind === 'MAP';
    this.schema.push(hasEntries ? listOfEntries(element, child) : element);
    if (!holdsItems) this.#children(element, stored, path);
    else {
      const items = this.#take();
      const below = [...stored, items.name];
      if (hasEntries || this.#isItem(items, stored)) this.#listOf(items, below, path);
      else this.#node(items, below, [...path, items.name]);
    }
  }

  /** Whether what is repeated in a list is an item of it, and not what holds one: the rules of the format. */
  #isItem({ name, num_children: count = 0 }: SchemaElement, list: Path): boolean {
    if (count !== 1) return true;
    const holdsRepeated = this.#stored[this.#next]?.repetition_type === 'REPEATED';
    return holdsRepeated || name === 'array' || name === `${list.at(-1) ?? ''}_tuple`;
  }

  /** Below a LIST. */
  #listOf(item: SchemaElement, stored: Path, path: Path): void {
    this.schema.push({ name: LIST, repetition_type: 'REPEATED', num_children: 1 });
    this.#node({ ...item, name: ELEMENT, repetition_type: 'REQUIRED' }, stored, [...path, LIST, ELEMENT]);
  }
}
