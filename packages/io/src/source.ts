// Random access to bytes: the one contract under every reader. A source knows no format; it fills the caller's buffer or throws.
import type { NativeMapping } from './native.ts';
import type { Stretch } from './windows/shared-windows.ts';

/** Bytes at any offset. Reads fill `out` completely or throw; a source never returns fewer bytes than asked. */
export interface RandomAccessSource {
  /** The path, URL or '<memory>': for messages. */
  readonly path: string;
  /** 'mapped' and 'file' are local and have working Sync forms; 'memory' too. Remote kinds throw in the Sync form. */
  readonly kind: 'mapped' | 'file' | 'memory' | 'blob' | 'http';
  /** Size when opened, in bytes. */
  readonly byteLength: number;
  /** A text that another version of the same path or URL does not have, as far as the system or server tells; none or null where it tells nothing. */
  readonly version?: string | null;
  readonly closed: boolean;
  /**
   * Fills `out` with the bytes from `byteOffset` on. Copies.
   * @throws IoError ERR_FILE_CHANGED (the file is shorter than when it was opened), ERR_READ; ClosedError; ArgumentError for a range outside [0, byteLength].
   */
  read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void>;
  readSync(byteOffset: number, out: Uint8Array): void;
  /**
   * [byteOffset, byteOffset + byteLength) without a copy, in a private window: writing into it reaches neither the source nor a later read, but shows in other views of the same
   * bytes, taken before or later. It outlives close(). Any byteOffset can be asked for: typed arrays of any width fit at the result's byte 0.
   * @param stretch what the range is a part of, such as its column: views of one stretch share a window, of which they are parts. By default the range itself.
   * @throws CannotViewError ERR_NOT_MAPPED where the source is not mapped, ERR_VIEW_TOO_LARGE, ERR_TOO_MANY_VIEWS; IoError ERR_FILE_CHANGED.
   */
  view(byteOffset: number, byteLength: number, stretch?: Stretch): Uint8Array;
  /** The native mapping behind it, where there is one: what gather kernels work on. */
  mapping(): NativeMapping | null;
  /** Idempotent. */
  close(): void;
}

/** A source whose bytes are in this process: every read is synchronous and cannot fail. */
export interface MemoryBacked extends RandomAccessSource {
  readonly kind: 'memory';
  /** All bytes, not a copy. */
  readonly bytes: Uint8Array;
}
