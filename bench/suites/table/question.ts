// What W2 and the cross-format suites ask of a table, said once for all peers: its columns, and which of them each task
// reads. Written beside the raw columns as JSON, so that Python peers ask the same.

export type RawDType = 'int64' | 'datetime64[ms]' | 'float64' | 'int32' | 'int16' | 'string';

export interface TableColumn {
  readonly name: string;
  readonly dtype: RawDType;
  readonly nullable: boolean;
  /** Code points of the longest text; 0 for numbers. */
  readonly textLength: number;
}

export interface TableQuestion {
  readonly columns: readonly TableColumn[];
  /** Two columns into typed arrays. */
  readonly pair: readonly [string, string];
  /** Rows with `number > above and text == equals`, of which `project` is read. */
  readonly filter: {
    readonly number: string;
    readonly above: number;
    readonly text: string;
    readonly equals: string;
    readonly project: readonly string[];
  };
  /** Some half of the rows, lying everywhere: those of `number > above`. */
  readonly half: { readonly number: string; readonly above: number };
  /** Predicates that SQL and the tables here write alike, of which rows are counted: one computes, one has an `or`. */
  readonly computed: string;
  readonly either: string;
  /** One that asks for a part of moments: rows are in their order, or nearly. */
  readonly month: string;
  /** The sum of whole numbers for each text, and each part of moments. */
  readonly parts: { readonly sum: string; readonly by: string; readonly part: string };
  /** What is summed over all rows: a product of whole numbers. */
  readonly product: string;
  /** The columns that all rows are ordered by; of equal rows, `pair` is equal too. */
  readonly order: readonly [string, string];
  /** The sum of one column for each value of another; `scale` makes the sums whole numbers. */
  readonly group: { readonly sum: string; readonly by: string; readonly scale: number };
}

const numeric = (name: string, dtype: RawDType): TableColumn => ({ name, dtype, nullable: false, textLength: 0 });
const text = (name: string, textLength: number, nullable = false): TableColumn => ({
  name,
  dtype: 'string',
  nullable,
  textLength,
});

export const ORDERS: TableQuestion = {
  columns: [
    numeric('order_id', 'int64'),
    numeric('ts', 'datetime64[ms]'),
    text('region', 5),
    text('status', 8),
    numeric('amount', 'float64'),
    numeric('quantity', 'int32'),
    text('note', 11, true),
  ],
  pair: ['order_id', 'amount'],
  filter: { number: 'amount', above: 4500, text: 'region', equals: 'EMEA', project: ['order_id', 'amount'] },
  half: { number: 'quantity', above: 6 },
  computed: 'quantity * 2 + 1 > order_id % 9',
  either: "amount > 4500 or region = 'EMEA'",
  month: 'month(ts) = 1',
  parts: { sum: 'quantity', by: 'region', part: 'hour(ts)' },
  product: 'quantity * order_id',
  order: ['quantity', 'order_id'],
  group: { sum: 'amount', by: 'region', scale: 100 },
};

/** Rows by day of departure are near each other in the file, so that statistics can tell little about delays. */
export const FLIGHTS: TableQuestion = {
  columns: [
    numeric('date', 'datetime64[ms]'),
    numeric('delay', 'int16'),
    numeric('distance', 'int16'),
    text('origin', 3),
    text('destination', 3),
  ],
  pair: ['delay', 'distance'],
  filter: { number: 'delay', above: 120, text: 'origin', equals: 'ORD', project: ['delay', 'distance'] },
  half: { number: 'delay', above: 0 },
  computed: 'delay * 2 > distance',
  either: "delay > 120 or origin = 'ORD'",
  month: 'month(date) = 3',
  parts: { sum: 'delay', by: 'origin', part: 'month(date)' },
  product: '(delay + 100000) * distance',
  order: ['delay', 'distance'],
  group: { sum: 'delay', by: 'origin', scale: 1 },
};

export function columnOf(question: TableQuestion, name: string): TableColumn {
  const column = question.columns.find((each) => each.name === name);
  if (column === undefined) throw new Error(`no column ${name}`);
  return column;
}

/** The filter as the tables of this repository are asked. */
export function predicateOf({ number, above, text: column, equals }: TableQuestion['filter']): {
  readonly where: string;
  readonly params: Readonly<Record<string, number | string>>;
} {
  return { where: `${number} > @above and ${column} == @text`, params: { above, text: equals } };
}

/** The half of the rows, asked in the same way. */
export function predicateOfHalf({ number, above }: TableQuestion['half']): {
  readonly where: string;
  readonly params: Readonly<Record<string, number>>;
} {
  return { where: `${number} > @above`, params: { above } };
}
