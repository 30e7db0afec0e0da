// A disk in memory that tells what a power failure would leave. It records every operation; afterwards, for any prefix of them, it can be asked for the states that the hardware may
// keep: what was synced is there, and of each write and each change of the folder that was not, it may be there or not.
import type { FileFacts, FileOperation, FileOperations, FileResult } from '@colkit/io/durable';
import { systemError } from './watched-files.ts';

type Change =
  | { readonly kind: 'write'; readonly file: number; readonly bytes: Uint8Array; readonly byteOffset: number }
  | { readonly kind: 'truncate'; readonly file: number; readonly byteLength: number }
  | { readonly kind: 'syncFile'; readonly file: number }
  | { readonly kind: 'enter'; readonly path: string; readonly file: number }
  | { readonly kind: 'move'; readonly from: string; readonly to: string; readonly file: number }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'syncFolder' };

const FOLDER = -1;

export class RecordingDisk implements FileOperations {
  readonly changes: Change[] = [];
  readonly #files: Uint8Array[] = [];
  readonly #names = new Map<string, number>();
  readonly #open = new Map<number, number>();
  readonly #folders = new Set<string>();
  #nextDescriptor = 3;
  readonly #fail: (operation: FileOperation, index: number) => Error | null;
  #count = 0;

  /** @param fail gives an error for the operations that shall not work. */
  constructor(fail: (operation: FileOperation, index: number) => Error | null = () => null) {
    this.#fail = fail;
  }

  /** How many operations were asked for. */
  get operationCount(): number {
    return this.#count;
  }

  get paths(): readonly string[] {
    return [...this.#names.keys()].sort();
  }

  /** Puts a file there that has always been there. */
  place(path: string, bytes: Uint8Array): void {
    const file = this.#files.push(bytes.slice()) - 1;
    this.#names.set(path, file);
    this.changes.push({ kind: 'write', file, bytes: bytes.slice(), byteOffset: 0 }, { kind: 'syncFile', file }, { kind: 'enter', path, file }, { kind: 'syncFolder' });
  }

  read(path: string): Uint8Array | null {
    const file = this.#names.get(path);
    return file === undefined ? null : this.#files[file]!;
  }

  async run(operation: FileOperation): Promise<FileResult> {
    await Promise.resolve();
    return this.runSync(operation);
  }

  runSync(operation: FileOperation): FileResult {
    const error = this.#fail(operation, this.#count);
    this.#count += 1;
    if (error !== null) throw error;
    switch (operation.kind) {
      case 'create': return this.#create(operation.path);
      case 'open': return this.#descriptor(this.#existing(operation.path));
      case 'truncate': return this.#truncate(this.#fileOf(operation.fd), operation.byteLength);
      case 'stat': return this.#facts(this.#fileOf(operation.fd));
      case 'read': return this.read(operation.path);
      case 'makeFolder': return void this.#folders.add(operation.path);
      case 'wait': return undefined;
      case 'openFolder': return this.#descriptor(FOLDER);
      case 'write': return this.#write(this.#fileOf(operation.fd), operation.bytes, operation.byteOffset);
      case 'sync': return this.#sync(this.#fileOf(operation.fd));
      case 'setMode': return undefined;
      case 'close': return void this.#open.delete(operation.fd);
      case 'rename': return this.#rename(operation.from, operation.to);
      case 'link': return this.#link(operation.from, operation.to);
      case 'unlink': return this.#unlink(operation.path);
      case 'list': return this.paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
      case 'inspect': return this.#inspect(operation.path);
      case 'resolve': return operation.path;
    }
  }

  /**
   * The files after a power failure behind the first `count` changes. `keep` decides for each change that was not synced by then whether the hardware has it.
   */
  afterPowerLoss(count: number, keep: (change: number) => boolean): ReadonlyMap<string, Uint8Array> {
    const done = this.changes.slice(0, count);
    const isSynced = (change: Change, index: number): boolean =>
      done.some((later, at) => at > index && (change.kind === 'write' || change.kind === 'truncate' ? later.kind === 'syncFile' && later.file === change.file : later.kind === 'syncFolder'));
    const files = new Map<number, Uint8Array>();
    const names = new Map<string, number>();
    done.forEach((change, index) => {
      if (change.kind === 'syncFile' || change.kind === 'syncFolder' || !(isSynced(change, index) || keep(index))) return;
      if (change.kind === 'write') files.set(change.file, patched(files.get(change.file) ?? new Uint8Array(0), change.bytes, change.byteOffset));
      else if (change.kind === 'truncate') files.set(change.file, (files.get(change.file) ?? new Uint8Array(0)).slice(0, change.byteLength));
      else if (change.kind === 'remove') names.delete(change.path);
      else {
        if (change.kind === 'move') names.delete(change.from);
        names.set(change.kind === 'move' ? change.to : change.path, change.file);
      }
    });
    return new Map([...names].map(([path, file]) => [path, files.get(file) ?? new Uint8Array(0)]));
  }

  #create(path: string): number {
    if (this.#names.has(path)) throw systemError('EEXIST', 'create');
    const file = this.#files.push(new Uint8Array(0)) - 1;
    this.#names.set(path, file);
    this.changes.push({ kind: 'enter', path, file });
    return this.#descriptor(file);
  }

  #write(file: number, bytes: Uint8Array, byteOffset: number): number {
    this.#files[file] = patched(this.#files[file]!, bytes, byteOffset);
    this.changes.push({ kind: 'write', file, bytes: bytes.slice(), byteOffset });
    return bytes.byteLength;
  }

  #truncate(file: number, byteLength: number): undefined {
    this.#files[file] = this.#files[file]!.slice(0, byteLength);
    this.changes.push({ kind: 'truncate', file, byteLength });
    return undefined;
  }

  #inspect(path: string): FileFacts | null {
    if (this.#folders.has(path)) return { ...this.#facts(FOLDER), type: 'folder', mode: 0o700 };
    const file = this.#names.get(path);
    return file === undefined ? null : this.#facts(file);
  }

  #facts(file: number): FileFacts {
    const links = [...this.#names.values()].filter((each) => each === file).length;
    return { type: 'file', mode: 0o644, byteLength: this.#files[file]?.length ?? 0, device: 1n, inode: BigInt(file + 2), links, owner: process.getuid?.() ?? 0 };
  }

  #sync(file: number): undefined {
    this.changes.push(file === FOLDER ? { kind: 'syncFolder' } : { kind: 'syncFile', file });
    return undefined;
  }

  #rename(from: string, to: string): undefined {
    const file = this.#existing(from);
    this.#names.delete(from);
    this.#names.set(to, file);
    this.changes.push({ kind: 'move', from, to, file });
    return undefined;
  }

  #link(from: string, to: string): undefined {
    if (this.#names.has(to)) throw systemError('EEXIST', 'link');
    const file = this.#existing(from);
    this.#names.set(to, file);
    this.changes.push({ kind: 'enter', path: to, file });
    return undefined;
  }

  #unlink(path: string): undefined {
    this.#existing(path);
    this.#names.delete(path);
    this.changes.push({ kind: 'remove', path });
    return undefined;
  }

  #existing(path: string): number {
    const file = this.#names.get(path);
    if (file === undefined) throw systemError('ENOENT', path);
    return file;
  }

  #descriptor(file: number): number {
    this.#open.set(this.#nextDescriptor, file);
    return this.#nextDescriptor++;
  }

  #fileOf(fd: number): number {
    const file = this.#open.get(fd);
    if (file === undefined) throw systemError('EBADF', String(fd));
    return file;
  }
}

function patched(before: Uint8Array, bytes: Uint8Array, byteOffset: number): Uint8Array {
  const after = new Uint8Array(Math.max(before.length, byteOffset + bytes.length));
  after.set(before);
  after.set(bytes, byteOffset);
  return after;
}
