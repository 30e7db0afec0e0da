// What every other form of items offers: a reader of items with their schema, and a sink that a .syr file's items go
// to.
import type { SyrahFile } from 'syrah';
import type { SyrahValue } from './dtypes.ts';
import type { SyrahInput } from 'syrah';
import type { KeySpec } from 'syrah';
import type { Target } from '../terminal/output.ts';

export type InputEntries = readonly (readonly [string, SyrahInput])[];
export type OutputEntries = readonly (readonly [string, SyrahValue])[];

export interface KeyNote {
  readonly key: string;
  readonly note: string;
}

export interface ItemReader {
  readonly schema: readonly KeySpec[];
  /** Null where only reading tells. */
  readonly itemCount: number | null;
  /** What became of values that the format cannot hold as they were. */
  readonly notes?: readonly KeyNote[];
  items(): AsyncIterable<InputEntries>;
}

export interface ItemSink {
  put(entries: OutputEntries, item: number): Promise<void>;
  finish(): Promise<void>;
  /** Gives up; nothing unfinished is left. */
  abort(): Promise<void>;
}

/** How items come from a path; `schema` null: the reader finds it out. */
export type OpenReader = (path: string, schema: readonly KeySpec[] | null) => Promise<ItemReader>;
/** Where the items of `file` go. */
export type OpenSink = (target: Target, file: SyrahFile) => Promise<ItemSink>;
