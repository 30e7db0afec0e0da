// What the page and its worker say to each other. Everything that is read or computed happens in the worker.
/** What is to be opened: a file of the reader's, or an address. */
export type FileChoice =
  | { readonly kind: 'file'; readonly file: File }
  | { readonly kind: 'url'; readonly url: string; readonly name: string };

export interface ColumnFacts {
  readonly name: string;
  readonly dtype: string;
  readonly nullable: boolean;
}

interface OpenedFile {
  readonly name: string;
  /** As people call it: `.cna`, `Parquet`. */
  readonly format: string;
  /** Of the file as it was given. */
  readonly byteLength: number;
}

export interface OpenedTableFacts extends OpenedFile {
  readonly kind: 'table';
  readonly rowCount: number;
  readonly columns: readonly ColumnFacts[];
  /** Bytes of the table that the file was imported to; null where it is read as it lies. */
  readonly importedBytes: number | null;
  /** What importing it changed, a sentence each. */
  readonly notes: readonly string[];
}

export interface OpenedItemsFacts extends OpenedFile {
  readonly kind: 'items';
  readonly itemCount: number;
  readonly keys: readonly { readonly key: string; readonly dtype: string }[];
}

export type OpenedFacts = OpenedTableFacts | OpenedItemsFacts;

/** A cell as JSON has it; of long text the beginning. */
export type Cell = string | number | boolean | null;

export interface RowsQuestion {
  readonly start: number;
  readonly end: number;
  /** Which columns, by their places. */
  readonly columns: { readonly start: number; readonly end: number };
  readonly matching: boolean;
}

export interface RowsPage {
  readonly start: number;
  /** Of the file, one for each row; null where they are `start`, `start + 1`, … */
  readonly rowNumbers: readonly number[] | null;
  readonly rows: readonly (readonly Cell[])[];
}

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface ColumnSummary {
  readonly column: string;
  readonly count: number;
  readonly nulls: number;
  readonly least: Cell;
  readonly most: Cell;
  readonly chart:
    | { readonly kind: 'bins'; readonly isTime: boolean; readonly bins: readonly Bin[] }
    | {
        readonly kind: 'top';
        readonly distinct: number;
        /** Of so many rows at the start, where the column has too many different values; null: of all. */
        readonly sampledRows: number | null;
        readonly top: readonly { readonly value: string; readonly count: number }[];
      }
    | { readonly kind: 'none'; readonly why: string };
}

/** What a question cost: bytes and requests of the source, and time in the worker. */
export interface Cost {
  readonly bytesRead: number;
  readonly requests: number;
  readonly milliseconds: number;
}

export interface FilterAnswer extends Cost {
  readonly matched: number;
  /** What was skipped, and why. */
  readonly explanation: string;
}

export const OPERATIONS = ['count', 'sum', 'mean', 'min', 'max', 'countDistinct'] as const;
export type GroupOperation = (typeof OPERATIONS)[number];

export interface GroupQuestion {
  readonly by: string;
  readonly operation: GroupOperation;
  /** The column that is counted, added up, …; not asked for 'count'. */
  readonly of: string;
}

export interface Group {
  readonly key: Cell;
  readonly value: Cell;
  /** The value as a number; null for texts, moments, and what is none. */
  readonly size: number | null;
}

export interface GroupAnswer extends Cost {
  readonly groupCount: number;
  /** The largest values first, at most `MOST_GROUPS` of them. */
  readonly groups: readonly Group[];
}

export const MOST_GROUPS = 30;

/** One array of an item. */
export interface ItemArray {
  readonly key: string;
  readonly dtype: string;
  readonly values: readonly number[] | Uint8Array | Float64Array | string;
  /** Of all values, of which `values` may be the first ones. */
  readonly length: number;
}

export interface ItemPage {
  readonly start: number;
  readonly items: readonly (readonly ItemArray[])[];
}

export const TARGETS = ['cna', 'cstore', 'parquet', 'csv', 'jsonl', 'arrow'] as const;
export type Target = (typeof TARGETS)[number];

export interface Converted {
  readonly blob: Blob;
  readonly milliseconds: number;
}

/** The worker's functions; each takes one argument that can be cloned, and can be given up. */
export interface Calls {
  open: (choice: FileChoice) => OpenedFacts & Cost;
  close: (nothing: null) => null;
  rows: (range: RowsQuestion) => RowsPage;
  summary: (column: string) => ColumnSummary & Cost;
  /** An empty predicate: all rows. */
  filter: (where: string) => FilterAnswer;
  group: (question: GroupQuestion) => GroupAnswer;
  /** The inspector's page, as text. */
  layout: (nothing: null) => string;
  items: (range: { readonly start: number; readonly end: number }) => ItemPage;
  convert: (question: { readonly to: Target; readonly matching: boolean }) => Converted;
  /** Loads what is loaded when it is first asked, so that the page works without network from then on. */
  warm: (nothing: null) => null;
}

export type CallName = keyof Calls;
export type Argument<N extends CallName> = Parameters<Calls[N]>[0];
export type Result<N extends CallName> = ReturnType<Calls[N]>;

export interface Progress {
  readonly done: number;
  /** 0 where nobody knows. */
  readonly total: number;
  readonly unit: 'rows' | 'bytes' | 'row groups';
}

export type ToWorker =
  | { readonly kind: 'call'; readonly id: number; readonly name: CallName; readonly argument: unknown }
  | { readonly kind: 'cancel'; readonly id: number };

export type FromWorker =
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly message: string; readonly code: string | null }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: Progress };
