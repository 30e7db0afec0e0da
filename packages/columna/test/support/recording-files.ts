// The system's files, with every change recorded, so that afterwards the states can be made that a power failure could have left: what was synced is there; of what was not, sector by sector
// and name by name, anything may be there or not.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SYSTEM_FILES } from '@colkit/io/durable';
import type { FileOperation, FileOperations, FileResult } from '@colkit/io/durable';
import { isOfLock } from '@colkit/testkit/watched-files';

type Change =
  | { readonly kind: 'write'; readonly file: number; readonly bytes: Uint8Array; readonly byteOffset: number }
  | { readonly kind: 'truncate'; readonly file: number; readonly byteLength: number }
  | { readonly kind: 'sync'; readonly file: number }
  | { readonly kind: 'enter'; readonly name: string; readonly file: number }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'move'; readonly from: string; readonly name: string; readonly file: number }
  | { readonly kind: 'syncFolder' };

/** A disk writes this much at a time, whole or not at all. */
const SECTOR_BYTES = 512;
const FOLDER = -1;

export class RecordingFiles implements FileOperations {
  readonly changes: Change[] = [];
  readonly #names = new Map<string, number>();
  readonly #open = new Map<number, number>();
  #files = 0;

  /** A file that has been on the disk for long. */
  place(name: string, bytes: Uint8Array): void {
    const file = this.#files++;
    this.#names.set(name, file);
    this.changes.push({ kind: 'write', file, bytes: bytes.slice(), byteOffset: 0 }, { kind: 'sync', file }, { kind: 'enter', name, file }, { kind: 'syncFolder' });
  }

  async run(operation: FileOperation): Promise<FileResult> {
    await Promise.resolve();
    return this.runSync(operation);
  }

  runSync(operation: FileOperation): FileResult {
    const result = SYSTEM_FILES.runSync(operation);
    if (isOfLock(operation)) return result;
    switch (operation.kind) {
      case 'create': {
        const file = this.#files++;
        this.#names.set(basename(operation.path), file);
        this.#open.set(result as number, file);
        this.changes.push({ kind: 'enter', name: basename(operation.path), file });
        break;
      }
      case 'open': this.#open.set(result as number, this.#names.get(basename(operation.path))!); break;
      case 'openFolder': this.#open.set(result as number, FOLDER); break;
      case 'write':
        for (let at = 0; at < (result as number); ) {
          const byteOffset = operation.byteOffset + at;
          const end = Math.min(result as number, at + SECTOR_BYTES - (byteOffset % SECTOR_BYTES));
          this.changes.push({ kind: 'write', file: this.#open.get(operation.fd)!, bytes: operation.bytes.slice(at, end), byteOffset });
          at = end;
        }
        break;
      case 'truncate': this.changes.push({ kind: 'truncate', file: this.#open.get(operation.fd)!, byteLength: operation.byteLength }); break;
      case 'sync': {
        const file = this.#open.get(operation.fd)!;
        this.changes.push(file === FOLDER ? { kind: 'syncFolder' } : { kind: 'sync', file });
        break;
      }
      case 'close': this.#open.delete(operation.fd); break;
      default: break;
      case 'rename':
      case 'link': {
        const [from, name] = [basename(operation.from), basename(operation.to)];
        const file = this.#names.get(from)!;
        this.#names.set(name, file);
        if (operation.kind === 'rename') this.#names.delete(from);
        this.changes.push(operation.kind === 'rename' ? { kind: 'move', from, name, file } : { kind: 'enter', name, file });
        break;
      }
      case 'unlink':
        this.#names.delete(basename(operation.path));
        this.changes.push({ kind: 'remove', name: basename(operation.path) });
        break;
    }
    return result;
  }

  /** Makes `folder` what a power failure behind the first `count` changes leaves; `keep` decides for each change that was not synced by then whether the disk has it. */
  afterPowerLoss(folder: string, count: number, keep: (change: number) => boolean): void {
    const done = this.changes.slice(0, count);
    const files = new Map<number, Uint8Array>();
    const names = new Map<string, number>();
    const lastSync = new Map<number, number>();
    let lastFolderSync = -1;
    done.forEach((change, index) => {
      if (change.kind === 'sync') lastSync.set(change.file, index);
      else if (change.kind === 'syncFolder') lastFolderSync = index;
    });
    done.forEach((change, index) => {
      if (change.kind === 'sync' || change.kind === 'syncFolder') return;
      const synced = change.kind === 'write' || change.kind === 'truncate' ? index < (lastSync.get(change.file) ?? -1) : index < lastFolderSync;
      if (!synced && !keep(index)) return;
      if (change.kind === 'write') files.set(change.file, patched(files.get(change.file) ?? new Uint8Array(0), change.bytes, change.byteOffset));
      else if (change.kind === 'truncate') files.set(change.file, (files.get(change.file) ?? new Uint8Array(0)).slice(0, change.byteLength));
      else if (change.kind === 'remove') names.delete(change.name);
      else {
        if (change.kind === 'move') names.delete(change.from);
        names.set(change.name, change.file);
      }
    });
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    for (const [name, file] of names) writeFileSync(join(folder, name), files.get(file) ?? new Uint8Array(0));
  }
}

function patched(before: Uint8Array, bytes: Uint8Array, byteOffset: number): Uint8Array {
  const after = new Uint8Array(Math.max(before.length, byteOffset + bytes.length));
  after.set(before);
  after.set(bytes, byteOffset);
  return after;
}
