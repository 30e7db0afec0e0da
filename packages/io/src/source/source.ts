// Random access to bytes: the one contract under every reader. A source knows no format; it fills the caller's buffer
// or throws. Readers ask what it can do, never what it is.
import type { NativeMapping } from '../backend/native.ts';
import type { Stretch } from '../windows/shared-windows.ts';

/** What readers plan their reads by. */
export interface SourceCapabilities {
  /** Whether `readSync` works. */
  readonly isSync: boolean;
  /** Whether `view` can give memory of the source. */
  readonly canView: boolean;
  /** How many reads are worth having under way at a time. */
  readonly concurrency: number;
  /** How many unwanted bytes between two ranges cost less than one more read: what a read costs, in bytes. */
  readonly gapBytes: number;
  /**
   * Whether reads that are asked for together become few, with no more than `concurrency` under way: whoever needs many
   * ranges asks for all of them at once. Default false.
   */
  readonly coalesces?: boolean;
}

/** How another thread or process opens the same bytes: plain data. */
export type Reopening =
  /** `openSource(what, options)` does it. */
  | { readonly what: string | Uint8Array | Blob; readonly options: Readonly<Record<string, unknown>> }
  /** The module at this URL exports `openSource(options)`, which gives a source or a promise of one. */
  | { readonly module: string; readonly options: unknown };

/** Bytes at any offset. Reads fill `out` completely or throw; a source never returns fewer bytes than asked. */
export interface RandomAccessSource extends SourceCapabilities {
  /** The path, URL or '<memory>': for messages. */
  readonly path: string;
  /** Size when opened, in bytes. */
  readonly byteLength: number;
  /**
   * A text that another version of the same path or URL does not have, as far as the system or server tells; none or
   * null where it tells nothing.
   */
  readonly version?: string | null;
  /**
   * Of a local file, a text that it keeps while it is written to, and that no other file has: told apart are also one
   * that was removed and the one that got its inode. None: only `version` tells.
   */
  readonly fileId?: string;
  readonly closed: boolean;
  /**
   * Fills `out` with the bytes from `byteOffset` on. Copies.
   * @throws IoError ERR_FILE_CHANGED (the file is shorter than when it was opened), ERR_READ; ClosedError;
   * ArgumentError for a range outside [0, byteLength].
   */
  read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** The same on the calling thread. @throws UnsupportedError where the source is not `isSync`. */
  readSync(byteOffset: number, out: Uint8Array): void;
  /**
   * [byteOffset, byteOffset + byteLength) without a copy, in a private window: writing into it reaches neither the
   * source nor a later read, but shows in other views of the same bytes, taken before or later. It outlives close().
   * Any byteOffset can be asked for: typed arrays of any width fit at the result's byte 0.
   * @param stretch what the range is a part of, such as its column: views of one stretch share a window, of which they
   * are parts. By default the range itself.
   * @throws CannotViewError ERR_NOT_MAPPED where it cannot view, ERR_VIEW_TOO_LARGE, ERR_TOO_MANY_VIEWS; IoError
   * ERR_FILE_CHANGED.
   */
  view(byteOffset: number, byteLength: number, stretch?: Stretch): Uint8Array;
  /** Only of sources that the addon maps: what its kernels work on; null where the system does not map the file. */
  mapping?(): NativeMapping | null;
  /**
   * From now on only the first `byteLength` bytes have to stay as they are: others may cut what is behind them, or
   * write there. It can still be read, for as long as it is there. Only for who opened the source; absent where nobody
   * can cut what is read.
   */
  relyOn?(byteLength: number): void;
  /** Null where only this thread has it. */
  reopen(): Reopening | null;
  /** Where `reopen()` gives null: why, for messages. */
  readonly whyNotReopened?: string | null;
  /** Idempotent. */
  close(): void;
}

/** A source whose bytes are in this process: every read is synchronous and cannot fail. */
export interface MemoryBacked extends RandomAccessSource {
  /** All bytes, not a copy. */
  readonly bytes: Uint8Array;
}
