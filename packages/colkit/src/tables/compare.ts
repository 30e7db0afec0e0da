// Two tables -> where they differ: the schema, the number of rows, and cell by cell the columns that both have, a batch
// at a time.
import type { Table } from '@colkit/table';

export interface CellDifference {
  readonly row: number;
  readonly column: string;
  readonly left: unknown;
  readonly right: unknown;
}

export interface Comparison {
  readonly same: boolean;
  /** In sentences. */
  readonly schema: readonly string[];
  readonly rowCounts: readonly [number, number];
  /** Cells that differ, by column; columns without any are left out. */
  readonly differing: readonly { readonly column: string; readonly cells: number }[];
  /** The first ones. */
  readonly examples: readonly CellDifference[];
}

/** Values are the same where their bits are; a NaN is a NaN, and -0 is not 0. */
export async function compareTables(
  left: Table,
  right: Table,
  mostExamples: number,
  onProgress: (rows: number) => void,
): Promise<Comparison> {
  const schema = schemaDifferences(left, right);
  const rightTypes = new Map(right.schema.map(({ name, dtype }) => [name, dtype]));
  const shared = left.schema.filter(({ name, dtype }) => rightTypes.get(name) === dtype).map(({ name }) => name);
  const cells = new Map<string, number>();
  const examples: CellDifference[] = [];
  let start = 0;
  if (shared.length > 0) {
    const others = right.select(...shared);
    for await (const batch of left.select(...shared).batches()) {
      const other = await others.slice(start, start + rowsOf(batch, shared)).toColumns();
      if (rowsOf(other, shared) === 0) break;
      for (const name of shared) compareColumn(name, batch, other, start, cells, examples, mostExamples);
      start += rowsOf(batch, shared);
      onProgress(start);
    }
  }
  const rowCounts = [await left.count(), await right.count()] as const;
  const differing = shared.flatMap((column) => (cells.has(column) ? [{ column, cells: cells.get(column) ?? 0 }] : []));
  const same = schema.length === 0 && rowCounts[0] === rowCounts[1] && differing.length === 0;
  return { same, schema, rowCounts, differing, examples: examples.slice(0, mostExamples) };
}

type Columns = Readonly<Record<string, ArrayLike<unknown>>>;

function rowsOf(batch: Columns, names: readonly string[]): number {
  return batch[names[0] ?? '']?.length ?? 0;
}

function compareColumn(
  name: string,
  left: Columns,
  right: Columns,
  start: number,
  cells: Map<string, number>,
  examples: CellDifference[],
  most: number,
): void {
  const [a, b] = [left[name] as ArrayLike<unknown>, right[name] as ArrayLike<unknown>];
  const count = Math.min(a.length, b.length);
  let found = 0;
  for (let row = 0; row < count; row++) {
    if (isSame(a[row], b[row])) continue;
    found++;
    if (examples.length < most) examples.push({ row: start + row, column: name, left: a[row], right: b[row] });
  }
  if (found > 0) cells.set(name, (cells.get(name) ?? 0) + found);
}

function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array)
    return a.length === b.length && a.every((byte, i) => byte === b[i]);
  return Object.is(a, b);
}

function schemaDifferences(left: Table, right: Table): string[] {
  const differences: string[] = [];
  const others = new Map(right.schema.map((field) => [field.name, field]));
  for (const { name, dtype, nullable } of left.schema) {
    const other = others.get(name);
    const column = `column ${JSON.stringify(name)}`;
    if (other === undefined) differences.push(`${column} is only in the first`);
    else if (other.dtype !== dtype) {
      differences.push(`${column} is ${dtype} in the first and ${other.dtype} in the second`);
    } else if (other.nullable !== nullable) {
      differences.push(`${column} may hold nulls only in the ${nullable ? 'first' : 'second'}`);
    }
  }
  const names = new Set(left.columnNames);
  for (const { name } of right.schema) {
    if (!names.has(name)) differences.push(`column ${JSON.stringify(name)} is only in the second`);
  }
  if (differences.length === 0 && left.columnNames.some((name, i) => name !== right.columnNames[i])) {
    differences.push('the columns come in another order');
  }
  return differences;
}
