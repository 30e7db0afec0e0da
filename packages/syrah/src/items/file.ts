// An open .syr file: items by number (or by name, in the oldest files), each a dictionary of arrays. Only metadata is
// in memory; get… copies from the file, view… never does.
import { ClosedError, PhaseWindows, checkOptions } from '@colkit/io';
import type { Backend, RandomAccessSource } from '@colkit/io';
import { WorkContext, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { DATA_OFFSET } from '../layout/constants.ts';
import { isText, itemBytesOf } from '../layout/dtype.ts';
import type { SyrahArray, SyrahValue } from '../layout/dtype.ts';
import type { KeyField } from '../layout/metadata.ts';
import type { FileLayout, WireForm } from '../layout/read-layout.ts';
import { fingerprint, gatherMany, gatherOne, itemCopier } from './gather/gathering.ts';
import type { Tensor } from './gather/gather-items.ts';
import { makeHandle } from './handle.ts';
import type { SyrahHandle } from './handle.ts';
import type { ItemCopier } from './item-copier.ts';
import { foldItem, foldItems, readingFailed, unknownItemName, unknownKey } from './item-errors.ts';
import { NO_OPTIONS, OPTIONS_OF } from './item-options.ts';
import type {
  ArrayOptions,
  GatherKeysOptions,
  GatherOptions,
  ItemOptions,
  ItemReference,
  ViewOptions,
} from './item-options.ts';
import { byKey, emptyRecord } from './item-record.ts';
import type { ArrayOf, ArrayWith, ItemTypes, ItemWith, KeyOf, SyrahView, ValueWith, ViewWith } from './item-record.ts';
import { ItemViewer } from './item-viewer.ts';
import { checkKeyList } from './list-arguments.ts';
import type { FilePart } from './part-files.ts';
import { ItemReading, storedArray, readArray, readEntries, viewOf } from './read-items.ts';
import type { Readable } from './read-items.ts';

/** @typeParam E what `expect` has shown of the items: dtypes by key. */
export class SyrahFile<E extends ItemTypes = ItemTypes> {
  /** Only for the compiler: it makes a file of known keys one of unknown keys. */
  declare readonly itemTypes?: { -readonly [Key in keyof E]: E[Key] };
  readonly path: string;
  readonly itemCount: number;
  /** All keys, in file order; frozen, as are `schema` and `itemNames`. */
  readonly keys: readonly string[];
  /** Keys with their dtypes; nothing is read. In item-by-item files a dtype is null where items differ in it. */
  readonly schema: readonly KeyField[];
  /** Only item-by-item files have them; else null. */
  readonly itemNames: readonly string[] | null;
  readonly form: WireForm;
  /** Which part of a set the file is, where a writer went on in further files; null for a file of its own. */
  readonly part: FilePart | null;
  /** The version in the header, for example '0.2.0'. */
  readonly version: string;
  /** Bytes of the whole file, and of its arrays' region. */
  readonly byteLength: number;
  readonly dataBytes: number;
  /** What tells this file from others at its place, as the system or the server says; null: nothing. */
  readonly fileVersion: string | null;
  readonly #source: RandomAccessSource;
  readonly #layout: FileLayout;
  readonly #readable: Readable;
  /** Of all works that nobody can give up. */
  readonly #context = new WorkContext();
  readonly #backend: Backend;
  readonly #windows: PhaseWindows;
  /** Only the current form has them. */
  readonly #copier: ItemCopier | null;
  readonly #viewer: ItemViewer | null;
  #numbers: ReadonlyMap<string, number> | null = null;
  #fields: ReadonlyMap<string, KeyField> | null = null;

  /** Made by `open`; owns the source. */
  constructor(source: RandomAccessSource, layout: FileLayout, backend: Backend, part: FilePart | null = null) {
    this.path = layout.path;
    this.itemCount = layout.itemCount;
    this.schema = layout.fields;
    this.keys = Object.freeze(layout.fields.map(({ name }) => name));
    this.itemNames = layout.itemNames;
    this.form = layout.form;
    this.part = part;
    this.version = layout.header.version;
    this.byteLength = layout.byteLength;
    this.dataBytes = layout.dataBytes;
    this.fileVersion = source.version ?? null;
    this.#source = source;
    this.#layout = layout;
    this.#backend = backend;
    this.#readable = { source, path: layout.path, index: layout.index, dataBytes: layout.dataBytes };
    this.#windows = new PhaseWindows(
      (byteOffset, byteLength) => source.view(byteOffset, byteLength),
      DATA_OFFSET,
      layout.header.metadataOffset,
    );
    const { blobs } = layout;
    this.#copier = blobs === null ? null : itemCopier(layout.path, blobs, layout.fields, source);
    this.#viewer = blobs === null ? null : new ItemViewer(blobs, layout.fields, this.#windows);
  }

  get closed(): boolean {
    return this.#source.closed;
  }

  /** Whether the Sync forms work. */
  get isLocal(): boolean {
    return this.#source.isSync;
  }

  /**
   * All arrays of an item, or those of `keys`. Copies, into one allocation that the arrays share.
   * @throws OutOfRangeError, UnknownColumnError, IoError, ClosedError.
   */
  async getItem<const O extends ItemOptions<KeyOf<E>> = object>(
    item: ItemReference,
    options?: O,
  ): Promise<ItemWith<E, O>> {
    if (options !== undefined) checkOptions('getItem', OPTIONS_OF.getItem, options);
    return byKey(await this.getEntries(item, options)) as ItemWith<E, O>;
  }

  /**
   * The same on the calling thread. Small items are cut from memory that they share with up to 7 others of their size
   * (or 16 KiB): one that is kept keeps that much.
   */
  getItemSync<const O extends ItemOptions<KeyOf<E>> = object>(item: ItemReference, options?: O): ItemWith<E, O> {
    if (options !== undefined) checkOptions('getItemSync', OPTIONS_OF.getItem, options);
    const number = this.#begin('getItemSync', item, options?.signal);
    const record = emptyRecord<SyrahValue>();
    if (
      this.#copier !== null &&
      (options === undefined ||
        (options.keys === undefined && options.transferable !== true && options.int64 === undefined))
    ) {
      try {
        if (this.#copier.copy(number, record)) return record as ItemWith<E, O>;
      } catch (error) {
        throw readingFailed(error, number, null);
      }
    }
    return this.#readSync(number, options ?? NO_OPTIONS).record(record) as ItemWith<E, O>;
  }

  /** As `getItem`, as [key, array] pairs in the file's order. */
  async getEntries(item: ItemReference, options: ItemOptions<KeyOf<E>> = NO_OPTIONS): Promise<[string, SyrahValue][]> {
    if (options !== NO_OPTIONS) checkOptions('getEntries', OPTIONS_OF.getItem, options);
    const number = this.#begin('getEntries', item);
    return this.#run(readEntries(this.#readable, number, options), number, null, options.signal);
  }

  getEntriesSync(item: ItemReference, options: ItemOptions<KeyOf<E>> = NO_OPTIONS): [string, SyrahValue][] {
    if (options !== NO_OPTIONS) checkOptions('getEntriesSync', OPTIONS_OF.getItem, options);
    return this.#readSync(this.#begin('getEntriesSync', item, options.signal), options).entries();
  }

  /**
   * One array of an item; one string for `str`. Copies.
   * @throws as getItem; ArgumentError ERR_OUT_BUFFER, ERR_VALUE.
   */
  async getArray<Key extends KeyOf<E>, const O extends ArrayOptions = object>(
    item: ItemReference,
    key: Key,
    options?: O,
  ): Promise<ValueWith<E, Key, O>> {
    if (options !== undefined) checkOptions('getArray', OPTIONS_OF.getArray, options);
    const number = this.#begin('getArray', item);
    const reading = readArray(this.#readable, number, key, options ?? NO_OPTIONS);
    return this.#run(reading as Work<ValueWith<E, Key, O>>, number, key, options?.signal);
  }

  getArraySync<Key extends KeyOf<E>, const O extends ArrayOptions = object>(
    item: ItemReference,
    key: Key,
    options?: O,
  ): ValueWith<E, Key, O> {
    if (options !== undefined) checkOptions('getArraySync', OPTIONS_OF.getArray, options);
    const number = this.#begin('getArraySync', item);
    const reading = readArray(this.#readable, number, key, options ?? NO_OPTIONS);
    return this.#runSync(reading as Work<ValueWith<E, Key, O>>, number, key, options?.signal);
  }

  /**
   * One key of many items, in the order of `items`, repeats allowed, as one buffer { data, shape: [items, length] }.
   * Copies. All item numbers and lengths are checked before a byte is copied. @throws as getItem; ArgumentError
   * ERR_VALUE where lengths differ, naming item, key and file.
   */
  async gatherItems<Key extends KeyOf<E>, const O extends GatherOptions = object>(
    items: ArrayLike<number | bigint>,
    key: Key,
    options?: O,
  ): Promise<Tensor<ArrayWith<E, Key, O>>> {
    if (options !== undefined) checkOptions('gatherItems', OPTIONS_OF.gatherItems, options);
    const numbers = this.#numbersOf('gatherItems', items);
    return this.#run(
      this.#gathering(numbers, key, options) as Work<Tensor<ArrayWith<E, Key, O>>>,
      numbers[0] ?? null,
      key,
      options?.signal,
    );
  }

  gatherItemsSync<Key extends KeyOf<E>, const O extends GatherOptions = object>(
    items: ArrayLike<number | bigint>,
    key: Key,
    options?: O,
  ): Tensor<ArrayWith<E, Key, O>> {
    if (options !== undefined) checkOptions('gatherItemsSync', OPTIONS_OF.gatherItems, options);
    const numbers = this.#numbersOf('gatherItemsSync', items);
    const work = this.#gathering(numbers, key, options) as Work<Tensor<ArrayWith<E, Key, O>>>;
    return this.#runSync(work, numbers[0] ?? null, key, options?.signal);
  }

  /**
   * Several keys of many items: what `gatherItems` returns for each, by one read. The stacks share one buffer. Copies.
   * @throws as gatherItems.
   */
  async gatherKeys(
    items: ArrayLike<number | bigint>,
    keys: readonly KeyOf<E>[],
    options: GatherKeysOptions = NO_OPTIONS,
  ): Promise<Tensor[]> {
    if (options !== NO_OPTIONS) checkOptions('gatherKeys', OPTIONS_OF.gatherKeys, options);
    const numbers = this.#numbersOf('gatherKeys', items);
    return this.#run(this.#gatheringMany(numbers, keys, options), numbers[0] ?? null, null, options.signal);
  }

  gatherKeysSync(
    items: ArrayLike<number | bigint>,
    keys: readonly KeyOf<E>[],
    options: GatherKeysOptions = NO_OPTIONS,
  ): Tensor[] {
    if (options !== NO_OPTIONS) checkOptions('gatherKeysSync', OPTIONS_OF.gatherKeys, options);
    const numbers = this.#numbersOf('gatherKeysSync', items);
    return this.#runSync(this.#gatheringMany(numbers, keys, options), numbers[0] ?? null, null, options.signal);
  }

  /**
   * All arrays of an item without a copy: see `viewArray`.
   * @throws CannotViewError where one of them (text, for example) cannot be viewed.
   */
  viewItem<const O extends ViewOptions<KeyOf<E>> = object>(item: ItemReference, options?: O): ViewWith<E, O> {
    if (options !== undefined) checkOptions('viewItem', OPTIONS_OF.viewItem, options);
    const number = this.#begin('viewItem', item);
    const views = emptyRecord<SyrahArray>();
    if (options?.keys !== undefined) {
      checkKeyList(options.keys);
      for (const key of options.keys) views[key] = this.#view(number, key);
    } else if (this.#viewer?.view(number, views) !== true) this.#viewAll(number, views);
    return views as ViewWith<E, O>;
  }

  /**
   * One array without a copy, at whatever byte it starts. A write into it reaches neither the file nor what get…
   * returns; views of one opened file, earlier or later, share memory, and there it shows. The array's `buffer` holds
   * what lies around it too. It outlives close(). A file that another process truncates kills the process that touches
   * a view of the lost part: for such files use get….
   * @throws CannotViewError ERR_NOT_MAPPED, ERR_NOT_VIEWABLE, ERR_VIEW_TOO_LARGE; else as getArray.
   */
  viewArray<Key extends KeyOf<E>>(item: ItemReference, key: Key): ArrayOf<E, Key> {
    return this.#view(this.#begin('viewArray', item), key) as ArrayOf<E, Key>;
  }

  /**
   * Elements of one key's array in every item (bytes, for text; NaN for an item without the key). Reads metadata only.
   */
  lengths(key: KeyOf<E>): Float64Array {
    if (this.closed) throw new ClosedError('lengths', this.path);
    this.#dtypeOf(key);
    const { index } = this.#layout;
    return Float64Array.from({ length: this.itemCount }, (_, item) => {
      if (!index.isReady(item, key)) this.#runSync(index.prepare(item, key), item, key);
      const array = index.arrayOf(item, key);
      return array === null ? NaN : array.byteLength / (isText(array.dtype) ? 1 : itemBytesOf(array.dtype));
    });
  }

  /** The number of an item in [0, itemCount). @throws OutOfRangeError; ArgumentError for an unknown name. */
  itemNumber(item: ItemReference): number {
    if (typeof item === 'string') {
      this.#numbers ??= new Map(this.itemNames?.map((name, number) => [name, number]));
      const number = this.#numbers.get(item);
      if (number === undefined) throw unknownItemName(this.path, item, this.itemNames !== null);
      return number;
    }
    return foldItem(item, this.path, this.itemCount);
  }

  /**
   * Plain data from which `open` opens the same file in another thread or process.
   * @throws ArgumentError for a source that only this thread has.
   */
  handle(): SyrahHandle {
    return makeHandle(this.#source, this.#backend, this.#layout.known, 'anywhere');
  }

  /** As `handle()`, for another thread of this process: the metadata of a remote file goes along, in shared memory. */
  threadHandle(): SyrahHandle {
    return makeHandle(this.#source, this.#backend, this.#layout.known, 'this process');
  }

  /** A text that is the same for the same items, wherever the file lies; samples large files. */
  async fingerprint(signal?: AbortSignal): Promise<string> {
    if (signal !== undefined) checkOptions('fingerprint', OPTIONS_OF.fingerprint, { signal });
    return this.#run(fingerprint(this.#source, this.#layout), null, null, signal);
  }

  fingerprintSync(): string {
    return this.#runSync(fingerprint(this.#source, this.#layout), null, null);
  }

  /** Views that were handed out stay valid. Idempotent. */
  close(): void {
    this.#source.close();
    this.#windows.release();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  /** @param signal of what may end without performing a work, which would look at it. */
  #begin(operation: string, item: ItemReference, signal?: AbortSignal): number {
    if (this.#source.closed) throw new ClosedError(operation, this.path);
    const number = this.itemNumber(item);
    signal?.throwIfAborted();
    return number;
  }

  #numbersOf(operation: string, items: ArrayLike<number | bigint>): number[] {
    if (this.closed) throw new ClosedError(operation, this.path);
    return foldItems(items, this.path, this.itemCount);
  }

  #gathering(items: readonly number[], key: string, options: GatherOptions = NO_OPTIONS): Work<Tensor> {
    return gatherOne(this.#readable, items, key, this.#dtypeOf(key), options);
  }

  /** What the Sync forms do for every item: no generator, no promise. */
  #readSync(number: number, options: ItemOptions): ItemReading {
    const { index } = this.#layout;
    if (!index.isReady(number, null)) this.#runSync(index.prepare(number, null), number, null, options.signal);
    const reading = new ItemReading(this.#readable, number, options);
    try {
      reading.read?.runSync(this.#contextOf(options.signal));
    } catch (error) {
      throw readingFailed(error, number, null);
    }
    return reading;
  }

  /** The dtype of a key, any of them where items differ. */
  #dtypeOf(key: string): NonNullable<KeyField['dtype']> {
    // A file may have 65,536 keys, each of which is looked for.
    this.#fields ??= new Map(this.schema.map((field) => [field.name, field]));
    const field = this.#fields.get(key);
    if (field === undefined) throw unknownKey(this.path, null, key, this.keys);
    return field.dtype ?? 'uint8';
  }

  #gatheringMany(items: readonly number[], keys: readonly string[], options: GatherKeysOptions): Work<Tensor[]> {
    checkKeyList(keys);
    const named = keys.map((name) => ({ name, dtypeOfNone: this.#dtypeOf(name) }));
    return gatherMany(this.#readable, items, named, options.transferable ?? false);
  }

  #view(item: number, key: string): SyrahArray {
    const { index } = this.#layout;
    if (!index.isReady(item, key)) this.#runSync(index.prepare(item, key), item, key);
    return viewOf(this.#windows, storedArray(this.#readable, item, key), item, key);
  }

  #viewAll(item: number, views: SyrahView): void {
    const { index } = this.#layout;
    if (!index.isReady(item, null)) this.#runSync(index.prepare(item, null), item, null);
    const keys = index.keysOf(item);
    for (const [k, array] of index.arraysOf(item).entries())
      views[keys[k] ?? ''] = viewOf(this.#windows, array, item, keys[k] ?? '');
  }

  async #run<T>(work: Work<T>, item: number | null, key: string | null, signal: AbortSignal | undefined): Promise<T> {
    try {
      return await run(work, this.#contextOf(signal));
    } catch (error) {
      throw readingFailed(error, item, key);
    }
  }

  #runSync<T>(work: Work<T>, item: number | null, key: string | null, signal?: AbortSignal): T {
    try {
      return runSync(work, this.#contextOf(signal));
    } catch (error) {
      throw readingFailed(error, item, key);
    }
  }

  #contextOf(signal: AbortSignal | undefined): WorkContext {
    return signal === undefined ? this.#context : new WorkContext({ signal });
  }
}
