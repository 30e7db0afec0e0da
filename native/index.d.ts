// The addon's surface, hand-written: what @colkit/io may call. All byte offsets and counts are numbers below 2^53 and
// are checked on the native side. Nothing here throws at import: `loadNative()` tells what was found and why not.

export type {
  NumbersKinds,
  PageForms,
  PageJobNumbers,
  PageLimits,
  PageOutcomes,
  PageResultNumbers,
} from './page-program.d.cts';
import type { ReaderLoops } from './reader-loops.d.cts';
import type { WriterLoops } from './writer-loops.d.cts';

/** How the addon was looked up. `binding` is null where none could be loaded. */
export interface NativeLookup {
  readonly binding: NativeBinding | null;
  /** The file that was loaded, or null. */
  readonly path: string | null;
  /** One sentence: why this result. */
  readonly reason: string;
  /** Every place that was tried, in order, with the loader's message where it failed. */
  readonly tried: readonly { readonly path: string; readonly error: string }[];
  /** Whether a binary is published for this platform, so that one should have loaded. */
  readonly isPublished: boolean;
}

/**
 * Looks the addon up once per thread: COLKIT_NATIVE_PATH alone where it is set, else build/Release, the package of this
 * platform, a file beside the bundle. Never throws.
 */
export function loadNative(): NativeLookup;

/**
 * A read-only mapping of a whole file. An opaque, type-tagged handle; it survives until `closeMapping` and the last job
 * that uses it.
 */
export interface Mapping {
  readonly __mapping: unique symbol;
}

/** Where each column's values lie: an opaque, type-tagged handle over a mapping. */
export interface SegmentTable {
  readonly __segments: unique symbol;
}

export type IndexArray = Int32Array | Uint32Array | Float64Array | BigInt64Array;
export type Bytes =
  | Uint8Array
  | Int8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array
  | DataView;

export type Advice = 'normal' | 'sequential' | 'random' | 'willneed' | 'dontneed' | 'hugepage';

/**
 * Rows of a gather. `range`: start + k * step for k in [0, count), step of any sign. `indices`: negatives count from
 * the end. `mask`: one byte a row, 0 or not 0.
 */
export type NativeRows =
  | { readonly kind: 'range'; readonly start: number; readonly step: number; readonly count: number }
  | { readonly kind: 'indices'; readonly indices: IndexArray }
  | { readonly kind: 'mask'; readonly mask: Uint8Array; readonly count: number };

export interface NativeBinding extends ReaderLoops, WriterLoops {
  readonly version: string;
  /** The kernel family that this CPU runs. */
  cpuFeatures(): {
    readonly kernels: 'baseline' | 'avx2' | 'avx512' | 'neon';
    readonly pageBytes: number;
    readonly physicalCores: number;
  };

  // Mapping
  // -----------------------------------------------------------------------------------------------
  /**
   * Maps a whole file for reading. `fd` is opened again or duplicated on POSIX (so the file that was opened is the one
   * that is mapped, whatever `path` names now) and stays the caller's; `path` is used on Windows. A file of 0 bytes
   * gives a mapping of 0 bytes. Throws an Error with `code` ERR_READ.
   */
  mapFile(path: string, fd: number): Mapping;
  /**
   * A copy of bytes, at least one, that kernels read as they read a mapped file: for small ones, which cost less to
   * read than to map. There are no windows of it. Its memory goes with `closeMapping`, or with the handle.
   */
  mapCopy(bytes: Uint8Array): Mapping;
  /**
   * Whole files, one behind the other in `out`, each at a multiple of 8. `paths` has a zero byte between two paths: one
   * string is read far sooner than many. `lengths[k]` is how many bytes file k has, -1 for what is no regular file of
   * one byte to its share of `out` (rounded down to a multiple of 8), cannot be read or changes meanwhile. On Windows
   * all are -1. The arrays must be left alone until the promise settles.
   */
  readSmallFiles(paths: string, out: Uint8Array, lengths: Int32Array): Promise<void>;
  /**
   * Starts to bring the first bytes of each file into memory, without waiting for them; at most 1 MiB each. `paths` as
   * above. What is no file is passed over; nothing happens on systems that take no such advice (macOS, Windows).
   */
  willReadFiles(paths: string, byteLength: number): void;
  mappingByteLength(mapping: Mapping): number;
  /**
   * Leaves the first bytes of a mapping, at least one: the file may lose what is behind them. Throws where anybody
   * works on it, and where segments were made over it.
   */
  shrinkMapping(mapping: Mapping, byteLength: number): void;
  /** The file's size now (fstat). */
  currentFileSize(mapping: Mapping): number;
  /**
   * madvise over a byte range (page-rounded); errors are ignored: advice is advice. Returns whether the system took it.
   */
  advise(mapping: Mapping, advice: Advice, byteOffset: number, byteLength: number): boolean;
  /**
   * A private, writable copy-on-write mapping of [byteOffset, byteOffset + byteLength) as one external ArrayBuffer that
   * starts exactly at `byteOffset` (any value: V8 counts alignment from there). A write into it reaches neither the
   * file nor any gather. It pins its own pages until it is collected; closing the mapping does not touch it. Throws an
   * Error with `code` ERR_NO_EXTERNAL_BUFFERS where the runtime forbids external buffers, ERR_VIEW_TOO_LARGE where it
   * has none so long (Node 20: 4 GiB), ERR_FILE_CHANGED where the file is now too short, ERR_TOO_MANY_VIEWS where
   * `windowStats().limit` of them are mapped, ERR_READ where the system maps no more.
   */
  window(mapping: Mapping, byteOffset: number, byteLength: number): ArrayBuffer;
  /**
   * Windows of this process that are mapped now (a collected one goes when the event loop turns), and how many it may
   * have: a quarter of what the system allows, at most 16,384.
   */
  windowStats(): { readonly count: number; readonly limit: number };
  /**
   * Unmaps: at once where no job runs on it, else when the last one ends. Idempotent. Later calls with this handle
   * throw ERR_CLOSED.
   */
  closeMapping(mapping: Mapping): void;
  /**
   * Several mappings as one that segments can be made over, so that one call gathers from all of their files; nothing
   * else works on it. The mappings are given away, as if they were closed, and their descriptors are closed: a file
   * that shrinks is still found out (by a byte near its end, by its path, by the guard around the kernels).
   */
  joinMappings(mappings: readonly Mapping[]): Mapping;
  /** Copies bytes out of the mapping, guarded: ERR_FILE_CHANGED where the file shrank. */
  readSync(mapping: Mapping, byteOffset: number, out: Bytes): void;
  /**
   * Takes the advisory lock of a whole open file (flock; on Windows the byte at 2^62) without waiting, for as long as
   * the descriptor is open. 'held': another open file has it. 'unsupported': the file system has none.
   */
  lockFile(fd: number): 'locked' | 'held' | 'unsupported';

  // Gather
  // -----------------------------------------------------------------------------------------------
  /**
   * Address of global row g of column c, in segment s = last one with rowStarts[s] <= g: bases[c * S + s] + g *
   * itemBytes[c] (`bases` are folded: body offset of the column minus rowStarts[s] * itemBytes; they may be negative).
   * @param rowStarts S + 1 ascending row numbers, the first 0, the last the row count. Zero-row segments are legal.
   * Every address range is checked against the mapping here, once; a bad one throws ERR_ARGUMENT.
   * @param files of joined mappings: for each segment the number of its file, from whose start its bases count.
   */
  createSegments(
    mapping: Mapping,
    rowStarts: Float64Array,
    itemBytes: Int32Array,
    bases: Float64Array,
    files?: Int32Array,
  ): SegmentTable;
  /**
   * Copies the rows of some columns, all columns in one call. `outs[k]` receives column `columns[k]`, item i at byte
   * layout[2k] + i * layout[2k + 1] of it (its bytes, whatever its element type); layout null means offset 0, stride =
   * item bytes. All indices are checked before one byte is written: throws a RangeError with `code`
   * ERR_INDEX_OUT_OF_RANGE and { index, length, position }. ERR_FILE_CHANGED where the file shrank (a size check
   * before, and a guard around the kernel); ERR_OUT_BUFFER where an output is too short; ERR_ARGUMENT for the rest
   * (mask length, non-integers).
   * @param rows an index array by itself means `indices`; in a gather of a few rows that saves a tenth of the call.
   * @param workers most threads to use; 0: the process-wide setting. The work decides how many of them run; small work
   * stays on the calling thread.
   */
  gatherSync(
    segments: SegmentTable,
    columns: Int32Array,
    rows: NativeRows | IndexArray,
    outs: readonly Bytes[],
    layout: Float64Array | null,
    workers: number,
  ): void;
  /**
   * The same on the addon's own thread pool; the event loop is free, also during page faults. Index and mask arrays
   * must not change until it settles (memory safe if they do), and no array's buffer may be transferred until then.
   * Arrays over resizable buffers are refused.
   */
  gather(
    segments: SegmentTable,
    columns: Int32Array,
    rows: NativeRows | IndexArray,
    outs: readonly Bytes[],
    layout: Float64Array | null,
    workers: number,
  ): Promise<void>;
  /**
   * Copies n byte ranges [offsets[k], offsets[k] + lengths[k]) of the mapping to `out` at outOffsets[k]. Same errors as
   * gather.
   */
  copyRangesSync(
    mapping: Mapping,
    offsets: Float64Array,
    lengths: Float64Array,
    out: Bytes,
    outOffsets: Float64Array,
    workers: number,
  ): void;
  copyRanges(
    mapping: Mapping,
    offsets: Float64Array,
    lengths: Float64Array,
    out: Bytes,
    outOffsets: Float64Array,
    workers: number,
  ): Promise<void>;

  // Column pages
  // -----------------------------------------------------------------------------------------------
  /**
   * Decodes pages of a .cna file (docs/formats/columna.md, sections 3 and 4) straight into the caller's memory, each
   * page whole or not at all. A page is left to the caller where its form is not decoded here and where anything in
   * it is not as the format says: the caller's own decoder gives its values, or the error. Packed and unpacked by
   * @colkit/io (`PageJob`, `PageResult`) alone.
   * @param jobs numbers of one job after the other: a page, and what is to be made of it, in the order of
   * `PageJobNumbers`. Forms are those of `PageForms`. Jobs with `follows` 1 go on with what the one before them found,
   * on a page of the same rows: at most `PageLimits.chainedJobs` in a row. Selections behind selections look at the
   * rows that are left; items behind them are of those rows, if there is room, on a page without nulls; groups stand
   * behind selections or groups, folds behind these or folds. A test is a byte for each code of the chunk's
   * dictionary, or two words: of integers the least that passes and how far above it the greatest lies, modulo 2^64;
   * of floats the two as doubles (`IntervalTest` in src/pages/column_select.h). More words are a list of values
   * (`SelectListed` there). Nulls never pass. Byte strings have numbers only as codes; the test of those that have
   * none is laid out in src/pages/texts/text_test.h. Texts that find too little room say how many bytes they need.
   * @param results room for the numbers of as many results, in the order of `PageResultNumbers`. A selection that
   * leaves all rows that were wanted need not write them. Same errors as gather, and ERR_ARGUMENT for a job outside of
   * the file or its output.
   */
  decodePagesSync(
    mapping: Mapping,
    jobs: Float64Array,
    results: Float64Array,
    outs: readonly Bytes[],
    verifyCrc: boolean,
    workers: number,
  ): void;
  decodePages(
    mapping: Mapping,
    jobs: Float64Array,
    results: Float64Array,
    outs: readonly Bytes[],
    verifyCrc: boolean,
    workers: number,
  ): Promise<void>;

  // Raw columns
  // -----------------------------------------------------------------------------------------------
  /**
   * Looks at rows of raw columns once: which of them match a predicate, how many, and what the values of those add up
   * to. Packed and unpacked by @colkit/io (`RawProgram`, `RawAnswer`) alone.
   * @param program numbers as raw-program-table.mjs says; copied when called, and so are the `constants`, a multiple of
   * 4 bytes.
   * @param bits room for a bit for each row of the ranges, each range from a byte of its own on, where the program
   * wants them; else anything.
   * @param results room for the numbers of the answer. Same errors as gather, and ERR_ARGUMENT for a program that is
   * none.
   */
  runRawSync(
    segments: SegmentTable,
    program: Float64Array,
    constants: Uint8Array,
    bits: Uint8Array,
    results: Float64Array,
    workers: number,
  ): void;
  runRaw(
    segments: SegmentTable,
    program: Float64Array,
    constants: Uint8Array,
    bits: Uint8Array,
    results: Float64Array,
    workers: number,
  ): Promise<void>;

  // Output memory
  // -----------------------------------------------------------------------------------------------
  /**
   * An ArrayBuffer of uninitialised bytes from a pool of huge-page-advised blocks: fresh pages are the larger cost of a
   * gather. The block returns to the pool when the buffer is collected. For results that a kernel fills completely,
   * never to be handed out part-filled. Falls back to a zeroed ordinary ArrayBuffer where external buffers are
   * forbidden. Blocks of at most 128 MiB (an eighth of the memory, if that is less) are handed out in one turn of the
   * event loop, of which none can come back before the next: what goes beyond is null below 32 MiB, else an ordinary
   * ArrayBuffer, advised to use huge pages. Where buffers of 256 MiB (half of those in use, if that is more)
   * came since the last collection, V8 is made to collect first.
   */
  allocatePooled(byteLength: number): ArrayBuffer | null;
  /**
   * Has V8 leave an ordinary buffer of at most 1 MiB that was just made for a result off its count of external memory
   * until there are many.
   */
  tellOrdinary(byteLength: number): void;
  poolStats(): { readonly idleBytes: number; readonly liveBytes: number; readonly limitBytes: number };
  /** Most idle bytes that the pool keeps (default 256 MiB); 0 turns reuse off. Trims at once. */
  setPoolLimit(byteLength: number): void;

  setMaxWorkers(count: number): void;
  maxWorkers(): number;
}
