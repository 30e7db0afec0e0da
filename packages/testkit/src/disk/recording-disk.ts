// The system's files in a folder and those below it, with every change recorded in a history. Syncs are recorded and
// not made (nothing here loses power), but for the one that is to be forgotten: a writer that works as well without it
// did not need it. Locks are left out: of a process that has ended with its machine they hold nobody up.
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SYSTEM_FILES } from '@colkit/io/durable';
import type { FileOperation, FileOperations, FileResult } from '@colkit/io/durable';
import { systemError } from '../watched-files.ts';
import type { DiskState } from './history.ts';
import { History, folderOf } from './history.ts';

export interface RecordingDiskOptions {
  /** The number of the sync that is forgotten, from 0. */
  readonly forget?: number | null;
  /** The number of the sync that fails with EIO. */
  readonly fail?: number | null;
  /** What link() answers: the code of a file system that has no hard links. */
  readonly noLinks?: string;
}

export class RecordingDisk implements FileOperations {
  readonly folder: string;
  readonly history = new History();
  /** What was there before the first operation ends here. */
  readonly start: number;
  readonly #forget: number | null;
  readonly #fail: number | null;
  readonly #noLinks: string | undefined;
  readonly #syncs: string[] = [];
  /** Files by their numbers, folders by their paths; null: of no interest. */
  readonly #open = new Map<number, number | string | null>();

  /** @param folder what is in it has been on the disk for long. */
  constructor(folder: string, options: RecordingDiskOptions = {}) {
    this.folder = folder;
    this.#forget = options.forget ?? null;
    this.#fail = options.fail ?? null;
    this.#noLinks = options.noLinks;
    for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      const path = join(folder, name);
      const stats = fs.statSync(path);
      const bytes = stats.isDirectory() ? new Uint8Array(0) : new Uint8Array(fs.readFileSync(path));
      this.history.putOld(path, { isFolder: stats.isDirectory(), mode: stats.mode & 0o777, bytes });
    }
    this.start = this.history.changes.length;
  }

  /** What was synced, in order: a name, "folder", or "folder NAME" for one below it. */
  get syncs(): readonly string[] {
    return this.#syncs;
  }

  /** To be called where a writer has told that something is there to stay. */
  promise(least: number): void {
    this.history.promise(least);
  }

  async run(operation: FileOperation): Promise<FileResult> {
    await Promise.resolve();
    return this.runSync(operation);
  }

  runSync(operation: FileOperation): FileResult {
    if (operation.kind === 'sync') return this.#sync(operation.fd);
    if (operation.kind === 'link' && this.#noLinks !== undefined) throw systemError(this.#noLinks, 'link');
    const result = SYSTEM_FILES.runSync(operation);
    this.#record(operation, result);
    return result;
  }

  /** @throws Error where the folder is not what the history says: a change that did not go through the operations. */
  checkComplete(): void {
    const expected = [...this.history.names.keys()].map((path) => this.#nameIn(path)).sort();
    const found = fs
      .readdirSync(this.folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !isOfLock(name))
      .sort();
    if (expected.join('/') !== found.join('/')) {
      throw new Error(`recorded ${expected.join(', ')}; in the folder ${found.join(', ')}`);
    }
    for (const [path, file] of this.history.names) {
      if (this.history.isFolder(file)) continue;
      const isSame = Buffer.from(this.history.bytesOf(file)).equals(fs.readFileSync(path));
      if (!isSame) throw new Error(`${path} has other bytes than were recorded`);
    }
  }

  /** Names of temporary files are others each time. */
  #nameNow(file: number): string {
    const [path = ''] = [...this.history.names].find(([, other]) => other === file) ?? [];
    return path.endsWith('.tmp') ? 'temporary' : this.#nameIn(path);
  }

  #nameIn(path: string): string {
    return path.slice(this.folder.length + 1);
  }

  #sync(fd: number): undefined {
    const what = this.#open.get(fd);
    if (what === undefined) throw new Error(`sync of descriptor ${fd}, which is not open`);
    if (what === null) return undefined;
    const [isForgotten, isFailed] = [this.#syncs.length === this.#forget, this.#syncs.length === this.#fail];
    this.#syncs.push(typeof what === 'string' ? `folder ${this.#nameIn(what)}`.trim() : this.#nameNow(what));
    if (isForgotten) return undefined;
    if (isFailed) {
      if (typeof what === 'string') this.history.loseFolder(what);
      else this.history.loseFile(what);
      throw systemError('EIO', 'sync');
    }
    if (typeof what === 'string') this.history.syncFolder(what);
    else this.history.syncFile(what);
    return undefined;
  }

  #record(operation: FileOperation, result: FileResult): void {
    const file = 'fd' in operation ? this.#open.get(operation.fd) : undefined;
    if (file === null && operation.kind !== 'close') return;
    switch (operation.kind) {
      case 'create':
      case 'open':
      case 'openFolder':
        this.#open.set(result as number, this.#opened(operation));
        break;
      case 'write': {
        const bytes = operation.bytes.subarray(0, result as number);
        this.history.write(fileOf(file), operation.byteOffset, bytes);
        break;
      }
      case 'truncate':
        this.history.truncate(fileOf(file), operation.byteLength);
        break;
      case 'setMode':
        this.history.setMode(fileOf(file), operation.mode);
        break;
      case 'close':
        this.#open.delete(operation.fd);
        break;
      case 'rename':
        if (this.#isOurs(operation.to)) this.history.rename(operation.from, operation.to);
        break;
      case 'link':
        if (this.#isOurs(operation.to)) this.history.link(operation.from, operation.to);
        break;
      case 'unlink':
        if (this.#isOurs(operation.path)) this.history.remove(operation.path);
        break;
      case 'makeFolder':
        if (this.#isOurs(operation.path)) this.history.create(operation.path, modeOf(operation.path), true);
        break;
      default:
    }
  }

  #opened({ kind, path }: FileOperation & { readonly kind: 'create' | 'open' | 'openFolder' }): number | string | null {
    if (kind === 'openFolder') return path === this.folder || this.#isOurs(path) ? path : null;
    if (!this.#isOurs(path)) return null;
    return kind === 'create' ? this.history.create(path, modeOf(path)) : this.#existing(path);
  }

  #isOurs(path: string): boolean {
    return path.startsWith(`${this.folder}/`) && !isOfLock(path);
  }

  #existing(path: string): number {
    const file = this.history.fileAt(path);
    if (file === undefined) throw new Error(`${path} was not recorded`);
    return file;
  }
}

/** A lock, or what it is made of. */
const isOfLock = (path: string): boolean => /\.lock(\.|$)/u.test(path);

/** What the user's mask leaves of it. */
const modeOf = (path: string): number => fs.statSync(path).mode & 0o777;

function fileOf(file: number | string | undefined | null): number {
  if (typeof file !== 'number') throw new Error('an operation on a descriptor that is not of an open file');
  return file;
}

/** An empty folder where files cost little; it is for the caller to remove. */
export function quickFolder(name: string): string {
  return fs.mkdtempSync(join(quickRoot(), name));
}

function quickRoot(): string {
  try {
    return fs.statSync('/dev/shm').isDirectory() ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Makes `folder` (which is emptied first) what a disk holds of `of`; what is in a folder that is lost is lost too. */
export function materialize(state: DiskState, of: string, folder: string): void {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder);
  const first = new Map<number, string>();
  // A folder comes before what is in it.
  for (const [path, file] of [...state.names].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!path.startsWith(`${of}/`)) continue;
    const to = folder + path.slice(of.length);
    if (!fs.existsSync(folderOf(to))) continue;
    const node = state.files.get(file)!;
    const other = first.get(file);
    if (node.isFolder) fs.mkdirSync(to);
    else if (other !== undefined) fs.linkSync(other, to);
    else {
      fs.writeFileSync(to, node.bytes);
      fs.chmodSync(to, node.mode);
      first.set(file, to);
    }
  }
}
