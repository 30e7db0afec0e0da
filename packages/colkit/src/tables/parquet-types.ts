// Parquet's columns -> those of a .cna file, and its types for Parquet. Nested columns are refused, or become text.
import { UnknownColumnError, UnsupportedError } from '@colkit/io';
import type { DType } from '@colkit/io';
import { leafType } from '@colkit/table/parquet';
import type { LeafType } from '@colkit/table/parquet';
import type { SchemaElement, SchemaTree } from 'hyparquet';
import type { ColumnNote } from 'columna';
import { NO_NAME_NOTE, givenNames } from './columns/given-names.ts';
import { LEAVE_OUT, NESTED_NOTE, columnsRefused } from './columns/refused-columns.ts';
import type { NestedColumns } from './columns/refused-columns.ts';
import { isVariant, nestedText } from './parquet/nested-text.ts';
import { parquetType } from './parquet/parquet-elements.ts';

export interface ParquetColumn extends LeafType {
  readonly name: string;
  /** In the file: '' where it has no name. */
  readonly storedName: string;
  readonly nullable: boolean;
  /** Whether it is a list, struct or map, whose values become text. */
  readonly isNested: boolean;
}

/**
 * The columns that are asked for, all by default, in that order; what the others are does not matter.
 * @throws UnknownColumnError; UnsupportedError ERR_DTYPE for nested and repeated columns and types that a .cna file
 * does not have, naming them and the others.
 */
export function parquetColumns(
  root: SchemaTree,
  names: readonly string[] | undefined,
  path: string,
  nested: NestedColumns,
): ParquetColumn[] {
  const known = namesOf(root);
  const treeOf = new Map(root.children.map((tree, index) => [known[index], tree]));
  const trees = (names ?? known).map((name) => {
    const tree = treeOf.get(name);
    if (tree === undefined) throw new UnknownColumnError(name, known);
    return { name, tree };
  });
  const columns = trees.flatMap(({ name, tree }) => columnOf(name, tree, path, nested) ?? []);
  if (columns.length < trees.length) throw unsupported(trees, columns, path, nested);
  return columns;
}

/** What the columns are called here. */
export function namesOf({ children }: SchemaTree): string[] {
  return givenNames(children.map(({ element }) => element.name));
}

function columnOf(name: string, tree: SchemaTree, path: string, nested: NestedColumns): ParquetColumn | null {
  const { name: storedName, repetition_type: repetition } = tree.element;
  const known = { name, storedName, nullable: repetition !== 'REQUIRED', isNested: isNestedTree(tree) };
  if (!known.isNested) {
    const leaf = leafType(tree.element, LEAVE_OUT);
    return leaf === null ? null : { ...leaf, ...known };
  }
  const take = nested === 'text' ? nestedText(tree, { path, remedy: LEAVE_OUT }) : null;
  return take === null ? null : { dtype: 'string', take, note: NESTED_NOTE, ...known };
}

function isNestedTree({ element, children }: SchemaTree): boolean {
  return children.length > 0 || element.repetition_type === 'REPEATED';
}

function unsupported(
  trees: readonly { readonly name: string; readonly tree: SchemaTree }[],
  columns: readonly ParquetColumn[],
  path: string,
  nested: NestedColumns,
): UnsupportedError {
  const taken = new Set(columns.map(({ name }) => name));
  const others = trees.filter(({ name }) => !taken.has(name));
  const first = others[0]?.tree;
  const isNested = first === undefined || (isNestedTree(first) && !isVariant(first.element));
  return columnsRefused({
    path,
    what: isNested ? 'a nested or repeated column' : `the Parquet type ${typeText(first.element)}`,
    names: others.map(({ name }) => name),
    others: columns.map(({ name }) => name),
    mayBeText: isNested && nested !== 'text',
  });
}

function typeText({ type, converted_type: converted, logical_type: logical }: SchemaElement): string {
  return [type, converted, logical?.type].filter((part) => part !== undefined).join(' ');
}

/** What a report tells of them. */
export function parquetNotes(columns: readonly ParquetColumn[]): ColumnNote[] {
  return columns.flatMap(({ name, storedName, note }) =>
    [storedName === '' ? NO_NAME_NOTE : null, note].flatMap((each) =>
      each === null ? [] : [{ column: name, note: each }],
    ),
  );
}

/** The columns of the .cna file. */
export function schemaOfColumns(
  columns: readonly ParquetColumn[],
): { name: string; dtype: DType; nullable: boolean }[] {
  return columns.map(({ name, dtype, nullable }) => ({ name, dtype, nullable }));
}

/** The element of a column that is written. @throws UnsupportedError ERR_DTYPE. */
export function parquetElement(name: string, dtype: DType, nullable: boolean): SchemaElement {
  const type = parquetType(dtype);
  if (type === null)
    throw new UnsupportedError(
      'ERR_DTYPE',
      dtype,
      `column ${JSON.stringify(name)}: ${dtype} is not written to Parquet`,
    );
  return { name, repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED', ...type };
}
