// What a writer did to a disk, in order: the changes of files and of names, the syncs, and the moments at which it told
// its caller that something is there to stay. What a power failure may leave of it: `power-losses.ts`.

/** Files (and folders) are numbered: names come and go, and several can be of one file. */
export type Change =
  | { readonly kind: 'write'; readonly file: number; readonly byteOffset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly file: number; readonly byteLength: number }
  | { readonly kind: 'setMode'; readonly file: number; readonly mode: number }
  /** A name for a file: of a new one, or a link. */
  | { readonly kind: 'enter'; readonly path: string; readonly file: number }
  | { readonly kind: 'move'; readonly from: string; readonly path: string; readonly file: number }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'syncFile'; readonly file: number }
  | { readonly kind: 'syncFolder'; readonly path: string }
  /** A sync that failed: what it should have brought to the disk no later one does, because systems forget it. */
  | { readonly kind: 'lostFile'; readonly file: number }
  | { readonly kind: 'lostFolder'; readonly path: string }
  /** From here on at least so much has to be found: rows, items, or 1 for "the new content". */
  | { readonly kind: 'promise'; readonly least: number };

/** A file or a folder as it stands on a disk. */
export interface Node {
  readonly isFolder: boolean;
  readonly mode: number;
  readonly bytes: Uint8Array;
}

/** What is on a disk: names, and the files behind them. Names of one file share its number. */
export interface DiskState {
  readonly names: ReadonlyMap<string, number>;
  readonly files: ReadonlyMap<number, Node>;
}

export class History {
  readonly changes: Change[] = [];
  readonly #names = new Map<string, number>();
  readonly #folders = new Set<number>();
  readonly #modes: number[] = [];

  /** For the writer, whatever the disk has of it. */
  get names(): ReadonlyMap<string, number> {
    return this.#names;
  }

  /** Something that has been on the disk for long. */
  putOld(path: string, node: Node): number {
    const file = this.create(path, node.mode, node.isFolder);
    if (node.bytes.length > 0) this.write(file, 0, node.bytes);
    this.changes.push({ kind: 'syncFile', file }, { kind: 'syncFolder', path: folderOf(path) });
    return file;
  }

  /** The file that has the name by now. */
  fileAt(path: string): number | undefined {
    return this.#names.get(path);
  }

  isFolder(file: number): boolean {
    return this.#folders.has(file);
  }

  /** Permissions that a file was made with. */
  firstMode(file: number): number {
    return this.#modes[file] ?? 0;
  }

  /** Its bytes for the writer. */
  bytesOf(file: number): Uint8Array {
    let bytes = new Uint8Array(0);
    for (const change of this.changes) {
      if (change.kind === 'truncate' && change.file === file) bytes = resized(bytes, change.byteLength);
      else if (change.kind === 'write' && change.file === file) {
        bytes = resized(bytes, Math.max(bytes.length, change.byteOffset + change.bytes.length));
        bytes.set(change.bytes, change.byteOffset);
      }
    }
    return bytes;
  }

  create(path: string, mode: number, isFolder = false): number {
    const file = this.#modes.push(mode) - 1;
    if (isFolder) this.#folders.add(file);
    this.#names.set(path, file);
    this.changes.push({ kind: 'enter', path, file });
    return file;
  }

  write(file: number, byteOffset: number, bytes: Uint8Array): void {
    this.changes.push({ kind: 'write', file, byteOffset, bytes: bytes.slice() });
  }

  truncate(file: number, byteLength: number): void {
    this.changes.push({ kind: 'truncate', file, byteLength });
  }

  setMode(file: number, mode: number): void {
    this.changes.push({ kind: 'setMode', file, mode });
  }

  link(from: string, path: string): void {
    const file = this.#existing(from);
    this.#names.set(path, file);
    this.changes.push({ kind: 'enter', path, file });
  }

  rename(from: string, path: string): void {
    const file = this.#existing(from);
    this.#names.delete(from);
    this.#names.set(path, file);
    this.changes.push({ kind: 'move', from, path, file });
  }

  remove(path: string): void {
    this.#existing(path);
    this.#names.delete(path);
    this.changes.push({ kind: 'remove', path });
  }

  syncFile(file: number): void {
    this.changes.push({ kind: 'syncFile', file });
  }

  syncFolder(path: string): void {
    this.changes.push({ kind: 'syncFolder', path });
  }

  loseFile(file: number): void {
    this.changes.push({ kind: 'lostFile', file });
  }

  loseFolder(path: string): void {
    this.changes.push({ kind: 'lostFolder', path });
  }

  promise(least: number): void {
    this.changes.push({ kind: 'promise', least });
  }

  #existing(path: string): number {
    const file = this.#names.get(path);
    if (file === undefined) throw new Error(`no file of the name ${path} was recorded`);
    return file;
  }
}

/** The first `byteLength` bytes; what is not there is `fill`. */
export function resized(before: Uint8Array, byteLength: number, fill = 0): Uint8Array<ArrayBuffer> {
  const after = new Uint8Array(byteLength).fill(fill, Math.min(before.length, byteLength));
  after.set(before.subarray(0, byteLength));
  return after;
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}
