// What a view must give, worked out naively on plain arrays: one row after the other, copying everything at every step.
// Written to be obviously right, not to be quick.

export interface OracleColumn {
  readonly name: string;
  readonly dtype: string;
  readonly nullable: boolean;
  /** boolean, number, bigint, string, Uint8Array or null. */
  readonly values: readonly unknown[];
}

export interface OracleTable {
  readonly rowCount: number;
  readonly columns: readonly OracleColumn[];
}

/** One step of a view, with everything spelt out. */
export type Action =
  | {
      readonly kind: 'slice';
      readonly start: number | undefined;
      readonly end: number | undefined;
      readonly step: number | undefined;
    }
  | { readonly kind: 'take'; readonly indices: readonly number[] }
  | { readonly kind: 'filter'; readonly mask: readonly boolean[] }
  | { readonly kind: 'select' | 'drop'; readonly names: readonly string[] }
  | { readonly kind: 'head' | 'tail'; readonly count: number };

export function applyAction(table: OracleTable, action: Action): OracleTable {
  switch (action.kind) {
    case 'slice':
      return rowsOf(table, pythonSlice(table.rowCount, action.start, action.end, action.step));
    case 'take':
      return rowsOf(
        table,
        action.indices.map((index) => (index < 0 ? index + table.rowCount : index)),
      );
    case 'filter':
      return rowsOf(
        table,
        action.mask.flatMap((keep, row) => (keep ? [row] : [])),
      );
    case 'head':
      return rowsOf(
        table,
        allRows(table).filter((row) => row < action.count),
      );
    case 'tail':
      return rowsOf(
        table,
        allRows(table).filter((row) => row >= table.rowCount - action.count),
      );
    case 'select':
      return { rowCount: table.rowCount, columns: action.names.map((name) => columnOf(table, name)) };
    case 'drop':
      return {
        rowCount: table.rowCount,
        columns: table.columns.filter((column) => !action.names.includes(column.name)),
      };
  }
}

/** The rows of Python's range(*slice(start, end, step).indices(length)), walked one by one. */
export function pythonSlice(length: number, start: number | undefined, end: number | undefined, step = 1): number[] {
  const rows: number[] = [];
  const fromFront = (index: number): number => (index < 0 ? index + length : index);
  if (step > 0) {
    const stop = end === undefined ? length : fromFront(end);
    for (let row = start === undefined ? 0 : fromFront(start); row < stop && row < length; row += step) {
      if (row < 0) {
        // A start before the first row is the first row, not a later one of the same stride.
        row = -step;
        continue;
      }
      rows.push(row);
    }
    return rows;
  }
  const stop = end === undefined ? -1 : Math.max(-1, fromFront(end));
  for (let row = Math.min(start === undefined ? length - 1 : fromFront(start), length - 1); row > stop; row += step)
    rows.push(row);
  return rows;
}

export function columnOf(table: OracleTable, name: string): OracleColumn {
  const column = table.columns.find((own) => own.name === name);
  if (column === undefined) throw new Error(`the oracle has no column ${name}`);
  return column;
}

function allRows({ rowCount }: OracleTable): number[] {
  return Array.from({ length: rowCount }, (_, row) => row);
}

function rowsOf(table: OracleTable, rows: readonly number[]): OracleTable {
  for (const row of rows) if (row < 0 || row >= table.rowCount) throw new Error(`the oracle has no row ${String(row)}`);
  return {
    rowCount: rows.length,
    columns: table.columns.map((column) => ({ ...column, values: rows.map((row) => column.values[row]) })),
  };
}
