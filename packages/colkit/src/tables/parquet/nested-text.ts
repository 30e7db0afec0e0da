// A nested column of Parquet (a list, a struct, a map) -> what makes a JSON text of each of its values, as hyparquet
// gives them by a standard schema: lists as arrays, structs as objects, maps as arrays of key and value.
import { CorruptFileError, isTime, parseDType } from '@colkit/io';
import { leafType, textOrBytes } from '@colkit/table/parquet';
import type { LeafType } from '@colkit/table/parquet';
import type { SchemaTree } from 'hyparquet';
import { jsonObject, jsonTextOf } from '../columns/json-text.ts';
import { isMap, storedName } from './standard-schema.ts';

/** Of a stored value that is not null. */
export type ToText = (value: unknown, row: number) => string;

interface Place {
  /** Of the file. */
  readonly path: string;
  /** What can be done about a value that cannot be held. */
  readonly remedy: string;
}

/** @returns null for what has no form in JSON. */
export function nestedText(tree: SchemaTree, place: Place): ToText | null {
  return tree.element.repetition_type === 'REPEATED' ? listText(oneText(tree, place)) : oneText(tree, place);
}

/** Whose members are no values: hyparquet decodes them, but not each value exactly (decimals, moments). */
export function isVariant({ logical_type: logical }: SchemaTree['element']): boolean {
  return logical?.type === 'VARIANT';
}

/** A node without its own repetition. */
function oneText(tree: SchemaTree, place: Place): ToText | null {
  const { element, children } = tree;
  const [inner] = children;
  if (isVariant(element)) return null;
  if (inner === undefined) {
    const leaf = leafType(element, place.remedy);
    return leaf === null ? null : leafText(leaf, place.path, element.name);
  }
  const isRepeated = children.length === 1 && inner.element.repetition_type === 'REPEATED';
  if (element.converted_type === 'LIST' && isRepeated && inner.children.length <= 1) {
    const [item] = inner.children;
    if (item === undefined) return listText(oneText(inner, place));
    return isMap(element) ? mapText(item, place) : listText(nestedText(item, place));
  }
  const fields = fieldsOf(tree, place);
  return fields === null ? null : structText(fields);
}

interface Field {
  /** Of the object's member. */
  readonly name: string;
  /** In JSON. */
  readonly jsonName: string;
  readonly toText: ToText;
}

function fieldsOf({ children }: SchemaTree, place: Place): Field[] | null {
  const fields: Field[] = [];
  for (const child of children) {
    const { element } = child;
    const stored = storedName(element);
    // Errors have the name in the file.
    const toText = nestedText({ ...child, element: { ...element, name: stored } }, place);
    if (toText === null) return null;
    fields.push({ name: element.name, jsonName: JSON.stringify(stored), toText });
  }
  return fields;
}

function leafText({ dtype, take }: LeafType, path: string, column: string): ToText {
  const info = parseDType(dtype);
  const jsonText = jsonTextOf(info);
  const isText = info.kind === 'string';
  const isTicks = isTime(info);
  return (value, row) => {
    const taken = take === null ? value : take(value, row);
    const plain = isText ? textOf(taken, path, column) : taken;
    return jsonText(isTicks ? BigInt(plain as bigint | number) : plain);
  };
}

function textOf(value: unknown, path: string, column: string): string {
  const text = value instanceof Uint8Array ? textOrBytes(value) : value;
  if (typeof text === 'string') return text;
  const where = { path, region: 'Parquet column', byteOffset: 0, column };
  throw new CorruptFileError('ERR_METADATA', { ...where, expected: 'UTF-8', found: 'other bytes' });
}

function orNull(toText: ToText, value: unknown, row: number): string {
  return value === null || value === undefined ? 'null' : toText(value, row);
}

function listText(item: ToText | null): ToText | null {
  if (item === null) return null;
  return (values, row) => `[${Array.from(values as ArrayLike<unknown>, (each) => orNull(item, each, row)).join(',')}]`;
}

function structText(fields: readonly Field[]): ToText {
  return (value, row) => jsonObject(fields.map((field) => [field.jsonName, memberText(value, field, row)]));
}

function mapText(entry: SchemaTree, place: Place): ToText | null {
  const [key, value] = fieldsOf(entry, place) ?? [];
  if (key === undefined || value === undefined) return null;
  return (entries, row) =>
    jsonObject(
      Array.from(entries as ArrayLike<unknown>, (each) => [memberText(each, key, row), memberText(each, value, row)]),
    );
}

function memberText(struct: unknown, { name, toText }: Field, row: number): string {
  return orNull(toText, (struct as Readonly<Record<string, unknown>>)[name], row);
}
