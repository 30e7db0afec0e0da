// What writers of text take and give: which table, and where its bytes go.
import type { Table } from '../output/table.ts';

/** Where the bytes go: a file sink of `@colkit/io`, or anything with such a `write`. */
export interface TextSink {
  write(bytes: Uint8Array): Promise<unknown>;
}

/** Whatever the compiler knows of its columns. */
export type AnyView = Pick<Table, 'view'>;
