// A nested column of Parquet (a list, a struct, a map) -> what makes a JSON text of each of its values, as hyparquet
// gives them: lists as arrays, structs and maps as objects. Its texts come with a mark, also as keys of maps, which
// are then no names that an object treats in its own way (`__proto__`, numbers).
import { CorruptFileError, isTime, parseDType } from '@colkit/io';
import { leafType, textOrBytes } from '@colkit/table/parquet';
import type { LeafType } from '@colkit/table/parquet';
import type { SchemaTree } from 'hyparquet';
import { jsonTextOf } from '../columns/json-text.ts';

/** Of a stored value that is not null. */
export type ToText = (value: unknown, row: number) => string;

/** Before a text; no other value that hyparquet makes a string of begins with it. */
const MARK = '\u0001';

/** For hyparquet. */
export const MARKING_PARSERS = { stringFromBytes: marked, jsonFromBytes: marked };

/** Bytes that are no text stay bytes. */
function marked(bytes: Uint8Array): string | Uint8Array {
  const text = textOrBytes(bytes);
  return typeof text === 'string' ? MARK + text : text;
}

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
    return listText(item === undefined ? oneText(inner, place) : nestedText(item, place));
  }
  if (element.converted_type === 'MAP' && isRepeated && inner.children.length === 2) {
    const [key, value] = inner.children;
    return mapText(
      key === undefined ? null : keyText(key, place),
      value === undefined ? null : nestedText(value, place),
    );
  }
  // An object has no member of this name.
  if (children.some((child) => child.element.name === '__proto__')) return null;
  const fields = children.map((child) => ({ name: child.element.name, toText: nestedText(child, place) }));
  return fields.every(isKnown) ? structText(fields) : null;
}

interface Field {
  readonly name: string;
  readonly toText: ToText;
}

function isKnown(field: { readonly name: string; readonly toText: ToText | null }): field is Field {
  return field.toText !== null;
}

function leafText({ dtype, take }: LeafType, path: string, column: string): ToText {
  const info = parseDType(dtype);
  const jsonText = jsonTextOf(info);
  const isText = info.kind === 'string';
  const isTicks = isTime(info);
  return (value, row) => {
    const taken = take === null ? value : take(value, row);
    const plain = isText ? unmarked(taken, path, column) : taken;
    return jsonText(isTicks ? BigInt(plain as bigint | number) : plain);
  };
}

/** Some texts come as bytes, as they are stored. */
function unmarked(value: unknown, path: string, column: string): string {
  const text = value instanceof Uint8Array ? textOrBytes(value) : value;
  if (typeof text === 'string') return text.startsWith(MARK) ? text.slice(MARK.length) : text;
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
  return (value, row) => {
    const members = value as Readonly<Record<string, unknown>>;
    return objectText(fields.map(({ name, toText }) => [name, orNull(toText, members[name], row)]));
  };
}

function objectText(members: readonly (readonly [name: string, text: string])[]): string {
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

function mapText(keyOf: ((key: string) => string) | null, toText: ToText | null): ToText | null {
  if (keyOf === null || toText === null) return null;
  return (value, row) => {
    const entries = Object.entries(value as Readonly<Record<string, unknown>>);
    return objectText(entries.map(([key, each]) => [keyOf(key), orNull(toText, each, row)]));
  };
}

/** Keys that are texts or integers: what hyparquet made a member's name of, as text once more. */
function keyText({ element, children }: SchemaTree, { path }: Place): ((key: string) => string) | null {
  const leaf = children.length > 0 ? null : leafType(element, '');
  if (leaf === null || leaf.take !== null) return null;
  const { kind } = parseDType(leaf.dtype);
  if (kind === 'int' || kind === 'uint') return (key) => key;
  if (kind !== 'string') return null;
  // Bytes that are no text have become a name in another way.
  return (key) => unmarked(key.startsWith(MARK) ? key : null, path, element.name);
}
