// Parquet's columns -> those of a .cna file, and its types for Parquet. Flat columns only.
import { UnknownColumnError, UnsupportedError } from '@colkit/io';
import type { DType } from '@colkit/io';
import { leafType } from '@colkit/table/parquet';
import type { LeafType } from '@colkit/table/parquet';
import type { SchemaElement, SchemaTree } from 'hyparquet';
import type { ColumnNote } from 'columna';
import { parquetType } from './parquet/parquet-elements.ts';

export interface ParquetColumn extends LeafType {
  readonly name: string;
  readonly nullable: boolean;
}

/** How a column is left out in a call; the command has words of its own. */
export const LEAVE_OUT = 'choose other columns with { columns }';
const MOST_SHOWN = 20;

/**
 * The columns that are asked for, all by default, in that order; what the others are does not matter.
 * @throws UnknownColumnError; UnsupportedError ERR_DTYPE for nested and repeated columns and types that a .cna file
 * does not have, naming them and the others.
 */
export function parquetColumns(root: SchemaTree, names: readonly string[] | undefined, path: string): ParquetColumn[] {
  const trees =
    names === undefined
      ? root.children
      : names.map((name) => {
          const tree = root.children.find(({ element }) => element.name === name);
          if (tree === undefined)
            throw new UnknownColumnError(
              name,
              root.children.map(({ element }) => element.name),
            );
          return tree;
        });
  const columns = trees.flatMap((tree) => columnOf(tree) ?? []);
  if (columns.length < trees.length) throw unsupported(trees, columns, path);
  return columns;
}

function columnOf({ element, children }: SchemaTree): ParquetColumn | null {
  const { name, repetition_type: repetition } = element;
  const leaf = children.length > 0 || repetition === 'REPEATED' ? null : leafType(element, LEAVE_OUT);
  return leaf === null ? null : { ...leaf, name, nullable: repetition !== 'REQUIRED' };
}

function unsupported(trees: readonly SchemaTree[], columns: readonly ParquetColumn[], path: string): UnsupportedError {
  const others = trees.filter(({ element }) => !columns.some(({ name }) => name === element.name));
  const [first] = others;
  const what =
    first === undefined || first.children.length > 0 || first.element.repetition_type === 'REPEATED'
      ? 'a nested or repeated column'
      : `the Parquet type ${typeText(first.element)}`;
  const also = others.length < 2 ? '' : ` (nor for ${shown(others.slice(1).map(({ element }) => element.name))})`;
  const remedy =
    columns.length === 0
      ? 'no column that is asked for can be imported'
      : `${LEAVE_OUT}: ${columns
          .slice(0, MOST_SHOWN)
          .map(({ name }) => name)
          .join(',')}${columns.length > MOST_SHOWN ? ',…' : ''}`;
  return new UnsupportedError(
    'ERR_DTYPE',
    what,
    `${path}: column ${JSON.stringify(first?.element.name)}: a .cna file has no type for ${what}${also}; ${remedy}`,
  );
}

function shown(names: readonly string[]): string {
  return `${names
    .slice(0, MOST_SHOWN)
    .map((name) => JSON.stringify(name))
    .join(', ')}${names.length > MOST_SHOWN ? ', …' : ''}`;
}

function typeText({ type, converted_type: converted, logical_type: logical }: SchemaElement): string {
  return [type, converted, logical?.type].filter((part) => part !== undefined).join(' ');
}

/** What a report tells of them. */
export function parquetNotes(columns: readonly ParquetColumn[]): ColumnNote[] {
  return columns.flatMap(({ name, note }) => (note === null ? [] : [{ column: name, note }]));
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
