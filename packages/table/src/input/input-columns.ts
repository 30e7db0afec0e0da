// The one form in which every writer gets values, whatever a user handed in: fields, a row count, and each column's
// items for any range of rows. All values were checked when it was made, so that a writer meets no bad value half way;
// a lazy table is read as the writer goes, in bounded memory.
import type { DTypeInfo } from '@colkit/io';
import type { Field } from '../source.ts';

/**
 * Items of consecutive rows. Not the writer's to change; good until the next read of the column. `validity`: bit 0 is
 * the first of these rows, 1 = not null; null: none is null.
 */
export type InputChunk =
  /** Packed little-endian items; zero bytes where null. */
  | { readonly kind: 'fixed'; readonly bytes: Uint8Array; readonly validity: Uint8Array | null }
  /** Variable width: well-formed text, or bytes; '' or no bytes where null. */
  | {
      readonly kind: 'values';
      readonly values: readonly (string | Uint8Array)[];
      readonly validity: Uint8Array | null;
    };

export interface InputColumn {
  readonly field: Field;
  readonly info: DTypeInfo;
  readonly rowCount: number;
  /**
   * Items of rows [start, end), which lie within the row count. No copy where the caller's memory already has them
   * packed.
   */
  read(start: number, end: number, signal?: AbortSignal): Promise<InputChunk>;
  readSync(start: number, end: number): InputChunk;
}

export interface InputColumns {
  /** At least one; each name once. */
  readonly fields: readonly Field[];
  readonly rowCount: number;
  /** One per field. */
  readonly columns: readonly InputColumn[];
}
