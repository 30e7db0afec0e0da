// Many .syr files as one: items by a running number. A file is opened when its items are needed, few hold a descriptor
// at a time, and what is asked of items of several files is asked of each of them at once.
import { ClosedError, OutOfRangeError, checkOptions, crc32, omitOptions } from '@colkit/io';
import type {
  ArrayOptions,
  GatherKeysOptions,
  GatherOptions,
  ItemOptions,
  ViewOptions,
} from '../items/item-options.ts';
import { OPTIONS_OF } from '../items/item-options.ts';
import type { SyrahFile } from '../items/file.ts';
import { foldItem, foldItems, unknownItemName } from '../items/item-errors.ts';
import type { Tensor } from '../items/gather/gather-items.ts';
import type { ItemReference } from '../items/item-options.ts';
import type { ArrayOf, ArrayWith, ItemTypes, ItemWith, KeyOf, ValueWith, ViewWith } from '../items/item-record.ts';
import type { SyrahValue } from '../layout/dtype.ts';
import type { KeyField } from '../layout/metadata.ts';
import type { NamedFields } from './align-keys.ts';
import { joinStacks, outOf } from './join-stacks.ts';
import type { Share } from './join-stacks.ts';
import type { Shard } from './shard.ts';
import type { ShardHandle, SyrahShardsHandle } from './shards-handle.ts';
import { Starts } from './starts.ts';

/** What `SyrahShards` is made of. */
export interface ShardsSettings {
  /** The first file and how many more, for messages. */
  readonly path: string;
  readonly schema: NamedFields | null;
  readonly maxOpen: number;
  readonly backend: SyrahShardsHandle['backend'];
  readonly set: string | null;
}

/** Where an item lies. */
export interface ItemPlace {
  readonly path: string;
  /** Its number in that file. */
  readonly item: number;
}

/** @typeParam E what `expect` has shown of the items: dtypes by key. */
export class SyrahShards<E extends ItemTypes = ItemTypes> {
  /** Only for the compiler: it makes files of known keys ones of unknown keys. */
  declare readonly itemTypes?: { -readonly [Key in keyof E]: E[Key] };
  /** The path of the first file, and how many more there are. */
  readonly path: string;
  /** Of all files together. */
  readonly itemCount: number;
  /** Those of the first file, in its order; other files may have them in another one. */
  readonly keys: readonly string[];
  readonly schema: readonly KeyField[];
  /** Items of each file, in order. */
  readonly shardLengths: readonly number[];
  /** Whether the Sync forms work. */
  readonly isLocal: boolean;
  /** Of all parts of a set, opened by the first one: which set, as `SyrahFile.part` tells it; null of other files. */
  readonly set: string | null;
  readonly #shards: readonly Shard[];
  readonly #settings: ShardsSettings;
  readonly #starts: Starts;
  #closed = false;

  /** Made by `openShards`. */
  constructor(shards: readonly Shard[], settings: ShardsSettings) {
    this.#shards = shards;
    this.#settings = settings;
    this.path = settings.path;
    this.set = settings.set;
    this.shardLengths = Object.freeze(shards.map(({ itemCount }) => itemCount));
    this.#starts = new Starts(this.shardLengths);
    this.itemCount = this.#starts.length;
    const fields = settings.schema?.fields ?? [];
    this.schema = Object.freeze(fields.map(({ key, dtype }) => Object.freeze({ name: key, dtype })));
    this.keys = Object.freeze(this.schema.map(({ name }) => name));
    this.isLocal = shards.every((shard) => shard.isLocal);
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The file of an item, and its number there. Nothing is read. @throws OutOfRangeError. */
  locate(item: ItemReference): ItemPlace {
    const { shard, rest } = this.#find(this.itemNumber(item));
    return { path: shard.path, item: rest };
  }

  /** As of SyrahFile, in the order of `keys`. @throws also IoError ERR_FILE_CHANGED, ArgumentError ERR_SCHEMA. */
  async getItem<const O extends ItemOptions<KeyOf<E>> = object>(
    item: ItemReference,
    options?: O,
  ): Promise<ItemWith<E, O>> {
    if (options !== undefined) checkOptions('getItem', OPTIONS_OF.getItem, options);
    const { shard, rest } = this.#at('getItem', item);
    const found = await shard.used((file) => file.getItem(rest, this.#inOrder(file, options)));
    return found as unknown as ItemWith<E, O>;
  }

  getItemSync<const O extends ItemOptions<KeyOf<E>> = object>(item: ItemReference, options?: O): ItemWith<E, O> {
    if (options !== undefined) checkOptions('getItemSync', OPTIONS_OF.getItem, options);
    const { shard, rest } = this.#at('getItemSync', item, options?.signal);
    const file = shard.openedNow();
    return file.getItemSync(rest, this.#inOrder(file, options)) as unknown as ItemWith<E, O>;
  }

  /** As of SyrahFile, in the order of `keys`. */
  async getEntries(item: ItemReference, options?: ItemOptions<KeyOf<E>>): Promise<[string, SyrahValue][]> {
    if (options !== undefined) checkOptions('getEntries', OPTIONS_OF.getItem, options);
    const { shard, rest } = this.#at('getEntries', item);
    return shard.used((file) => file.getEntries(rest, this.#inOrder(file, options)));
  }

  getEntriesSync(item: ItemReference, options?: ItemOptions<KeyOf<E>>): [string, SyrahValue][] {
    if (options !== undefined) checkOptions('getEntriesSync', OPTIONS_OF.getItem, options);
    const { shard, rest } = this.#at('getEntriesSync', item, options?.signal);
    const file = shard.openedNow();
    return file.getEntriesSync(rest, this.#inOrder(file, options));
  }

  /** As of SyrahFile. */
  async getArray<Key extends KeyOf<E>, const O extends ArrayOptions = object>(
    item: ItemReference,
    key: Key,
    options?: O,
  ): Promise<ValueWith<E, Key, O>> {
    if (options !== undefined) checkOptions('getArray', OPTIONS_OF.getArray, options);
    const { shard, rest } = this.#at('getArray', item);
    const array = await shard.used((file) => file.getArray(rest, key, options));
    return array as unknown as ValueWith<E, Key, O>;
  }

  getArraySync<Key extends KeyOf<E>, const O extends ArrayOptions = object>(
    item: ItemReference,
    key: Key,
    options?: O,
  ): ValueWith<E, Key, O> {
    if (options !== undefined) checkOptions('getArraySync', OPTIONS_OF.getArray, options);
    const { shard, rest } = this.#at('getArraySync', item, options?.signal);
    return shard.openedNow().getArraySync(rest, key, options) as unknown as ValueWith<E, Key, O>;
  }

  /** As of SyrahFile. Items of several files are copied twice. */
  async gatherItems<Key extends KeyOf<E>, const O extends GatherOptions = object>(
    items: ArrayLike<number | bigint>,
    key: Key,
    options?: O,
  ): Promise<Tensor<ArrayWith<E, Key, O>>> {
    if (options !== undefined) checkOptions('gatherItems', OPTIONS_OF.gatherItems, options);
    const shares = this.#sharesOf('gatherItems', items);
    const [whole] = shares;
    if (shares.length === 1 && whole !== undefined) {
      const stack = await whole.shard.used((file) => file.gatherItems(whole.items, key, options));
      return stack as unknown as Tensor<ArrayWith<E, Key, O>>;
    }
    const inner = { ...omitOptions<GatherOptions, 'out'>(options ?? {}, 'out'), transferable: false };
    const stacks = await Promise.all(
      shares.map(({ shard, items: own }) => shard.used(async (file) => [await file.gatherItems(own, key, inner)])),
    );
    const [joined] = joinStacks(shares, stacks, [key], options?.transferable === true);
    return outOf(joined as Tensor, options?.out) as unknown as Tensor<ArrayWith<E, Key, O>>;
  }

  gatherItemsSync<Key extends KeyOf<E>, const O extends GatherOptions = object>(
    items: ArrayLike<number | bigint>,
    key: Key,
    options?: O,
  ): Tensor<ArrayWith<E, Key, O>> {
    if (options !== undefined) checkOptions('gatherItemsSync', OPTIONS_OF.gatherItems, options);
    const shares = this.#sharesOf('gatherItemsSync', items, options?.signal);
    const [whole] = shares;
    if (shares.length === 1 && whole !== undefined)
      return whole.shard.openedNow().gatherItemsSync(whole.items, key, options) as unknown as Tensor<
        ArrayWith<E, Key, O>
      >;
    const inner = { ...omitOptions<GatherOptions, 'out'>(options ?? {}, 'out'), transferable: false };
    const stacks = shares.map(({ shard, items: own }) => [shard.openedNow().gatherItemsSync(own, key, inner)]);
    const [joined] = joinStacks(shares, stacks, [key], options?.transferable === true);
    return outOf(joined as Tensor, options?.out) as unknown as Tensor<ArrayWith<E, Key, O>>;
  }

  /** As of SyrahFile. Items of several files are copied twice. */
  async gatherKeys(
    items: ArrayLike<number | bigint>,
    keys: readonly KeyOf<E>[],
    options: GatherKeysOptions = {},
  ): Promise<Tensor[]> {
    checkOptions('gatherKeys', OPTIONS_OF.gatherKeys, options);
    const shares = this.#sharesOf('gatherKeys', items);
    const [whole] = shares;
    if (shares.length === 1 && whole !== undefined)
      return whole.shard.used((file) => file.gatherKeys(whole.items, keys, options));
    const inner = { ...options, transferable: false };
    const stacks = await Promise.all(
      shares.map(({ shard, items: own }) => shard.used((file) => file.gatherKeys(own, keys, inner))),
    );
    return joinStacks(shares, stacks, keys, options.transferable === true);
  }

  gatherKeysSync(
    items: ArrayLike<number | bigint>,
    keys: readonly KeyOf<E>[],
    options: GatherKeysOptions = {},
  ): Tensor[] {
    checkOptions('gatherKeysSync', OPTIONS_OF.gatherKeys, options);
    const shares = this.#sharesOf('gatherKeysSync', items, options.signal);
    const [whole] = shares;
    if (shares.length === 1 && whole !== undefined)
      return whole.shard.openedNow().gatherKeysSync(whole.items, keys, options);
    const inner = { ...options, transferable: false };
    const stacks = shares.map(({ shard, items: own }) => shard.openedNow().gatherKeysSync(own, keys, inner));
    return joinStacks(shares, stacks, keys, options.transferable === true);
  }

  /** As of SyrahFile; in the order of `keys`. */
  viewItem<const O extends ViewOptions<KeyOf<E>> = object>(item: ItemReference, options?: O): ViewWith<E, O> {
    if (options !== undefined) checkOptions('viewItem', OPTIONS_OF.viewItem, options);
    const { shard, rest } = this.#at('viewItem', item);
    const file = shard.openedNow();
    return file.viewItem(rest, this.#inOrder(file, options)) as unknown as ViewWith<E, O>;
  }

  /** As of SyrahFile. */
  viewArray<Key extends KeyOf<E>>(item: ItemReference, key: Key): ArrayOf<E, Key> {
    const { shard, rest } = this.#at('viewArray', item);
    return shard.openedNow().viewArray(rest, key) as ArrayOf<E, Key>;
  }

  /** As of SyrahFile, of all items. A remote file must have been read from before. */
  lengths(key: KeyOf<E>): Float64Array {
    if (this.#closed) throw new ClosedError('lengths', this.path);
    const lengths = new Float64Array(this.itemCount);
    for (const [number, shard] of this.#shards.entries())
      if (shard.itemCount > 0) lengths.set(shard.openedNow().lengths(key), this.#starts.of(number));
    return lengths;
  }

  /** The number of an item in [0, itemCount). @throws OutOfRangeError; ArgumentError for a name: items have none. */
  itemNumber(item: ItemReference): number {
    if (typeof item === 'string') throw unknownItemName(this.path, item, false);
    return foldItem(item, this.path, this.itemCount);
  }

  /**
   * Plain data from which `openShards` opens the same files in another thread or process, each when it is needed.
   * @throws ArgumentError for a source that only this thread has.
   */
  handle(): SyrahShardsHandle {
    return this.#handleOf((shard) => shard.handle());
  }

  /** As `handle()`, for another thread of this process: the metadata of remote files goes along, in shared memory. */
  threadHandle(): SyrahShardsHandle {
    return this.#handleOf((shard) => shard.threadHandle());
  }

  /**
   * A text that is the same for the same items. Of local files wherever they lie; remote ones are told by length and
   * ETag, so that nothing is read.
   */
  async fingerprint(signal?: AbortSignal): Promise<string> {
    const texts: string[] = [];
    for (const shard of this.#shards) texts.push(shard.mark ?? (await shard.used((file) => file.fingerprint(signal))));
    return this.#joined(texts);
  }

  fingerprintSync(): string {
    return this.#joined(this.#shards.map((shard) => shard.mark ?? shard.openedNow().fingerprintSync()));
  }

  /** Closes all files. Views that were handed out stay valid. Idempotent. */
  close(): void {
    this.#closed = true;
    for (const shard of this.#shards) shard.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  #handleOf(each: (shard: Shard) => ShardHandle): SyrahShardsHandle {
    const { path, schema, maxOpen, backend, set } = this.#settings;
    return { kind: 'syrah-shards', path, schema, shards: this.#shards.map(each), maxOpen, backend, set };
  }

  #joined(texts: readonly string[]): string {
    const mark = crc32(new TextEncoder().encode(texts.join('+'))).toString(16);
    return `${String(texts.length)} files-${String(this.itemCount)}-${mark}`;
  }

  /** @param signal of the Sync forms: no file is opened for what was given up. */
  #at(operation: string, item: ItemReference, signal?: AbortSignal): { shard: Shard; rest: number } {
    if (this.#closed) throw new ClosedError(operation, this.path);
    const found = this.#find(this.itemNumber(item));
    signal?.throwIfAborted();
    return found;
  }

  #find(item: number): { shard: Shard; number: number; rest: number } {
    const number = this.#starts.find(item);
    const shard = this.#shards[number];
    if (shard === undefined) throw new OutOfRangeError('item', item, this.itemCount);
    return { shard, number, rest: item - this.#starts.of(number) };
  }

  /** Items by the file that they are in; of no items, those of the first one. */
  #sharesOf(operation: string, given: ArrayLike<number | bigint>, signal?: AbortSignal): Share[] {
    if (this.#closed) throw new ClosedError(operation, this.path);
    const numbers = foldItems(given, this.path, this.itemCount);
    signal?.throwIfAborted();
    const shares = new Map<number, Share>();
    for (const [place, item] of numbers.entries()) {
      const { shard, number, rest } = this.#find(item);
      const share = shares.get(number);
      if (share === undefined) shares.set(number, { shard, items: [rest], places: [place] });
      else {
        share.items.push(rest);
        share.places.push(place);
      }
    }
    const first = this.#shards.find(({ itemCount }) => itemCount > 0) ?? this.#shards[0];
    if (shares.size === 0 && first !== undefined) return [{ shard: first, items: [], places: [] }];
    return [...shares.values()];
  }

  /** What is asked of a file whose keys stand in another order. */
  #inOrder<O extends { readonly keys?: readonly string[] }>(file: SyrahFile, options: O | undefined): O | undefined {
    if (options?.keys !== undefined || file.keys.every((key, k) => key === this.keys[k])) return options;
    return { ...options, keys: this.keys } as O;
  }
}
