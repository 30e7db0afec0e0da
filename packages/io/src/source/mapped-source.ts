// A file behind a memory mapping of the native addon. What matters about mappings under V8:
// - Gathers get the mapping's handle and 64-bit offsets, never an ArrayBuffer, so that files of any size work on every
//   Node version (Node 20 wraps at most 4 GiB).
// - V8 must not see one address in two ArrayBuffers: views lie in private copy-on-write windows beside the mapping, few
//   for each file. Some runtimes forbid external buffers; then only views fail.
// - A file that shrinks under a mapping is SIGBUS for whoever touches it: all reads go through the addon, which checks
//   the size and guards the copy. Views are exempt.
// - Mapping costs more than opening (page tables, huge pages), so it waits for the first need; until then a few small
//   reads go by position.
import { constants } from 'node:buffer';
import { resolve } from 'node:path';
import { CannotViewError, ClosedError, IoError } from '../errors/errors.ts';
import { LocalFile } from './local-file.ts';
import { nativeBinding, whyNotNative } from '../backend/native.ts';
import type { NativeBinding, NativeMapping } from '../backend/native.ts';
import { fromNative } from '../backend/native-errors.ts';
import { checkOptions, option } from '../options/index.ts';
import type { OptionSet } from '../options/index.ts';
import { ADVICE, BACKENDS, chosenWorkers, defaultMadvise } from '../backend/settings.ts';
import type { Backend, Madvise } from '../backend/settings.ts';
import type { RandomAccessSource, Reopening } from './source.ts';
import { doneAtOnce, mayDoAtOnce } from '../memory/at-once.ts';
import { checkRead, fileChanged, notMapped } from './source-checks.ts';
import { messageOf, systemCode } from '../errors/system-error.ts';
import { LOCAL_GAP_BYTES, LOCAL_READS, SMALL_BYTES } from './read-costs.ts';
import { SharedWindows } from '../windows/shared-windows.ts';
import type { Stretch } from '../windows/shared-windows.ts';

export interface MappedSourceOptions {
  /**
   * Default: what `setDefaultMadvise` set, else 'auto': huge pages are asked for before the first touch of a file of 2
   * MiB and more.
   */
  readonly madvise?: Madvise;
  /**
   * What happens where the system refuses to map a file (some network and FUSE file systems): throw, the default, or
   * read by position.
   */
  readonly unmappable?: 'throw' | 'read';
  /** A mapping needs the addon: 'js' is refused (IoError ERR_NATIVE_UNAVAILABLE). Default: `setDefaultBackend`. */
  readonly backend?: Backend;
}

const MAPPED_OPTIONS: OptionSet<MappedSourceOptions> = {
  madvise: option.word(...ADVICE),
  unmappable: option.word('throw', 'read'),
  backend: option.word(...BACKENDS),
};

const HUGE_PAGE_BYTES = 2 * 1024 * 1024;
/** Opening a format reads its header and metadata: one to three reads. Who reads more will read many. */
const READS_BEFORE_MAPPING = 8;
/** From here on a copy gains from a second thread. */
const PARALLEL_BYTES = 4 * 1024 * 1024;

export class MappedSource implements RandomAccessSource {
  readonly isSync = true;
  readonly canView = true;
  readonly concurrency = LOCAL_READS;
  readonly gapBytes = LOCAL_GAP_BYTES;
  readonly path: string;
  readonly byteLength: number;
  readonly version: string;
  readonly fileId: string;
  readonly #file: LocalFile;
  readonly #binding: NativeBinding;
  readonly #madvise: Madvise;
  readonly #unmappable: 'throw' | 'read';
  /** So many bytes have to stay; no others are mapped. */
  #reliedOn: number;
  #mapping: NativeMapping | null = null;
  #mapFailure: string | null = null;
  #windows: SharedWindows | null = null;
  #reads = 0;
  #closed = false;

  private constructor(file: LocalFile, binding: NativeBinding, options: MappedSourceOptions) {
    this.#file = file;
    this.#binding = binding;
    this.path = file.path;
    this.byteLength = file.byteLength;
    this.version = file.version;
    this.fileId = file.fileId;
    this.#reliedOn = file.byteLength;
    this.#madvise = options.madvise ?? defaultMadvise();
    this.#unmappable = options.unmappable ?? 'throw';
  }

  /**
   * Opens a regular file; nothing is mapped yet.
   * @throws IoError ERR_NOT_FOUND, ERR_READ, ERR_NATIVE_UNAVAILABLE; ArgumentError.
   */
  static async open(path: string, options: MappedSourceOptions = {}): Promise<MappedSource> {
    checkOptions('MappedSource.open', MAPPED_OPTIONS, options);
    const binding = requireBinding(path, options);
    return new MappedSource(await LocalFile.open(path), binding, options);
  }

  static openSync(path: string, options: MappedSourceOptions = {}): MappedSource {
    checkOptions('MappedSource.openSync', MAPPED_OPTIONS, options);
    const binding = requireBinding(path, options);
    return new MappedSource(LocalFile.openSync(path), binding, options);
  }

  get closed(): boolean {
    return this.#closed;
  }

  readSync(byteOffset: number, out: Uint8Array): void {
    checkRead(this, 'read', byteOffset, out.byteLength);
    const mapping = this.#mappingForRead();
    if (mapping === null) {
      this.#file.readSync(byteOffset, out);
      return;
    }
    if (byteOffset + out.byteLength > this.#reliedOn) {
      using file = this.#checkedAgain(LocalFile.openSync(this.path));
      file.readSync(byteOffset, out);
      return;
    }
    try {
      if (out.byteLength < PARALLEL_BYTES) this.#binding.readSync(mapping, byteOffset, out);
      else
        this.#binding.copyRangesSync(
          mapping,
          Float64Array.of(byteOffset),
          Float64Array.of(out.byteLength),
          out,
          Float64Array.of(0),
          chosenWorkers(),
        );
    } catch (error) {
      throw fromNative('read', this.path, error);
    }
  }

  async read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void> {
    checkRead(this, 'read', byteOffset, out.byteLength);
    signal?.throwIfAborted();
    const mapping = this.#mappingForRead();
    if (mapping === null) return this.#file.read(byteOffset, out, signal);
    if (byteOffset + out.byteLength > this.#reliedOn) {
      using file = this.#checkedAgain(await LocalFile.open(this.path));
      await file.read(byteOffset, out, signal);
      return;
    }
    try {
      if (out.byteLength <= SMALL_BYTES && mayDoAtOnce()) {
        this.#binding.readSync(mapping, byteOffset, out);
        doneAtOnce();
      } else
        await this.#binding.copyRanges(
          mapping,
          Float64Array.of(byteOffset),
          Float64Array.of(out.byteLength),
          out,
          Float64Array.of(0),
          chosenWorkers(),
        );
    } catch (error) {
      throw fromNative('read', this.path, error);
    }
    signal?.throwIfAborted();
  }

  view(byteOffset: number, byteLength: number, stretch: Stretch = { byteOffset, byteLength }): Uint8Array {
    checkRead(this, 'view', byteOffset, byteLength);
    checkRead(this, 'view', stretch.byteOffset, stretch.byteLength);
    if (byteLength === 0) return new Uint8Array(0);
    if (byteLength > constants.MAX_LENGTH) throw viewTooLarge(byteLength);
    const mapping = this.mapping();
    if (mapping === null)
      throw notMapped(`the system does not map ${this.path}: ${String(this.#mapFailure)}`, 'use a method that copies');
    const now = this.#binding.currentFileSize(mapping);
    if (now < this.#reliedOn) throw fileChanged('view', this.path, this.#reliedOn, now);
    if (Math.max(byteOffset + byteLength, stretch.byteOffset + stretch.byteLength) > this.#reliedOn)
      throw notMapped('others may cut these bytes off the file', 'use a method that copies');
    this.#windows ??= this.#sharedWindows(mapping);
    return this.#windows.view(
      byteOffset,
      byteLength,
      stretch.byteLength > constants.MAX_LENGTH ? { byteOffset, byteLength } : stretch,
    );
  }

  /**
   * Maps at the first call. Null for a file of no bytes, and where the system does not map it and the options allow
   * that.
   * @throws ClosedError, IoError.
   */
  mapping(): NativeMapping | null {
    if (this.#mapping !== null) return this.#mapping;
    if (this.#closed) throw new ClosedError('map', this.path);
    if (this.#reliedOn === 0 || this.#mapFailure !== null) return null;
    const mapping = this.#map();
    if (mapping === null) return null;
    const mapped = this.#binding.mappingByteLength(mapping);
    if (mapped < this.#reliedOn) {
      this.#binding.closeMapping(mapping);
      throw fileChanged('map', this.path, this.#reliedOn, mapped);
    }
    if (mapped > this.#reliedOn) this.#binding.shrinkMapping(mapping, this.#reliedOn);
    this.#advise(mapping);
    this.#mapping = mapping;
    // The mapping holds a descriptor of its own.
    this.#file.close();
    return mapping;
  }

  relyOn(byteLength: number): void {
    if (byteLength >= this.#reliedOn) return;
    this.#reliedOn = byteLength;
    this.#file.relyOn(byteLength);
    if (this.#mapping === null) return;
    if (byteLength > 0) this.#binding.shrinkMapping(this.#mapping, byteLength);
    else this.#binding.closeMapping(this.#mapping);
    if (byteLength === 0) this.#mapping = null;
  }

  /** A worker maps it for itself; the page cache is shared. */
  reopen(): Reopening {
    const io = this.#unmappable === 'throw' ? 'mmap' : 'auto';
    return { what: resolve(this.path), options: { io, madvise: this.#madvise } };
  }

  /** Unmaps at once, or when the last gather that runs has ended. Views that were handed out stay valid. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#file.close();
    if (this.#mapping !== null) this.#binding.closeMapping(this.#mapping);
    this.#mapping = null;
    this.#windows?.release();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #sharedWindows(mapping: NativeMapping): SharedWindows {
    const mayOpen = (): boolean => {
      const { count, limit } = this.#binding.windowStats();
      return count < limit / 2;
    };
    return new SharedWindows(
      (byteOffset, byteLength) => this.#openWindow(mapping, byteOffset, byteLength),
      this.#reliedOn,
      mayOpen,
    );
  }

  #openWindow(mapping: NativeMapping, byteOffset: number, byteLength: number): Uint8Array {
    try {
      return new Uint8Array(this.#binding.window(mapping, byteOffset, byteLength));
    } catch (error) {
      switch (systemCode(error)) {
        case 'ERR_VIEW_TOO_LARGE':
          throw viewTooLarge(byteLength);
        case 'ERR_NO_EXTERNAL_BUFFERS':
          throw notMapped('this runtime forbids buffers over foreign memory', 'use a method that copies');
        case 'ERR_TOO_MANY_VIEWS':
          throw tooManyViews(this.#binding.windowStats().count);
        case 'ERR_READ':
          throw notMapped(`the system maps no more of ${this.path}: ${messageOf(error)}`, LET_GO);
        default:
          throw fromNative('view', this.path, error);
      }
    }
  }

  /** The file once more, to read what is not mapped. */
  #checkedAgain(file: LocalFile): LocalFile {
    file.relyOn(this.#reliedOn);
    if (file.fileId === this.fileId) return file;
    file.close();
    throw fileChanged('read', this.path, this.byteLength, null);
  }

  #mappingForRead(): NativeMapping | null {
    if (this.#mapping !== null) return this.#mapping;
    this.#reads++;
    return this.#reads > READS_BEFORE_MAPPING ? this.mapping() : null;
  }

  #map(): NativeMapping | null {
    try {
      return this.#binding.mapFile(this.path, this.#file.fd);
    } catch (error) {
      if (this.#unmappable === 'throw') throw new IoError('ERR_READ', 'map', this.path, messageOf(error), error);
      this.#mapFailure = messageOf(error);
      return null;
    }
  }

  #advise(mapping: NativeMapping): void {
    const advice = this.#madvise === 'auto' ? 'hugepage' : this.#madvise;
    if (advice === 'normal' || (advice === 'hugepage' && this.#reliedOn < HUGE_PAGE_BYTES)) return;
    this.#binding.advise(mapping, advice, 0, this.#reliedOn);
  }
}

function viewTooLarge(byteLength: number): CannotViewError {
  return new CannotViewError(
    'ERR_VIEW_TOO_LARGE',
    `${String(byteLength)} bytes are more than one buffer of this runtime holds`,
    'view windows of it, slice(start, end).viewArray(), or copy it part by part: batches()',
  );
}

function tooManyViews(count: number): CannotViewError {
  return new CannotViewError(
    'ERR_TOO_MANY_VIEWS',
    `${String(count)} windows of this process are mapped already, and a system that has no room for more ends it`,
    LET_GO,
  );
}

/** What makes room: a window goes when all views of it were collected, in a turn of the event loop. */
const LET_GO =
  'use a method that copies, or keep fewer views and let the event loop turn (await a timer) so that those you ' +
  'dropped are given back';

function requireBinding(path: string, options: MappedSourceOptions): NativeBinding {
  const binding = nativeBinding(options.backend);
  if (binding === null)
    throw new IoError(
      'ERR_NATIVE_UNAVAILABLE',
      'map',
      path,
      `mapping needs the native addon, but ${whyNotNative(options.backend)}`,
    );
  return binding;
}
