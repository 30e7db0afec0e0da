// Every call that writers make to the file system, as data: one union of operations. Tests run them on a double that
// records them, forgets what was not synced, or fails where a disk would.

export type FileOperation =
  /** A new file for writing; fails with EEXIST where there is anything of that name. Gives its descriptor. */
  | { readonly kind: 'create'; readonly path: string; readonly mode: number }
  /** An existing file for writing. Gives its descriptor. */
  | { readonly kind: 'open'; readonly path: string }
  /** Gives a descriptor of a folder, to sync it. */
  | { readonly kind: 'openFolder'; readonly path: string }
  /** Gives how many of the bytes were written, which may be fewer. */
  | { readonly kind: 'write'; readonly fd: number; readonly bytes: Uint8Array; readonly byteOffset: number }
  | { readonly kind: 'truncate'; readonly fd: number; readonly byteLength: number }
  | { readonly kind: 'sync'; readonly fd: number }
  | { readonly kind: 'setMode'; readonly fd: number; readonly mode: number }
  /** The advisory lock of an open file, for as long as it is open; nobody waits. */
  | { readonly kind: 'lock'; readonly fd: number }
  /** What an open file is. */
  | { readonly kind: 'stat'; readonly fd: number }
  | { readonly kind: 'close'; readonly fd: number }
  /** Replaces `to` in one step. */
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  /** A second name for a file; fails with EEXIST where there is anything of that name. */
  | { readonly kind: 'link'; readonly from: string; readonly to: string }
  | { readonly kind: 'unlink'; readonly path: string }
  /** A new folder; fails with EEXIST where there is anything of that name. */
  | { readonly kind: 'makeFolder'; readonly path: string; readonly mode: number }
  /** The names in a folder. */
  | { readonly kind: 'list'; readonly path: string }
  /** What stands at a path, links not followed; null where nothing does. */
  | { readonly kind: 'inspect'; readonly path: string }
  /** All bytes of a file; null where there is none. */
  | { readonly kind: 'read'; readonly path: string }
  /** The path without links. */
  | { readonly kind: 'resolve'; readonly path: string }
  | { readonly kind: 'wait'; readonly milliseconds: number };

export interface FileFacts {
  readonly type: 'file' | 'folder' | 'link' | 'other';
  /** Permissions: the last nine bits. */
  readonly mode: number;
  readonly byteLength: number;
  /** Together with `inode` they say which file it is, whatever its names. */
  readonly device: bigint;
  /** 0 where the file system has none. */
  readonly inode: bigint;
  /** How many names it has. */
  readonly links: number;
  /** The user that it belongs to. */
  readonly owner: number;
}

/** 'held': by another open file, of whatever program. 'unsupported': there are no such locks here. */
export type SystemLock = 'locked' | 'held' | 'unsupported';

export interface FileResults {
  create: number;
  open: number;
  openFolder: number;
  write: number;
  truncate: undefined;
  sync: undefined;
  setMode: undefined;
  lock: SystemLock;
  stat: FileFacts;
  close: undefined;
  rename: undefined;
  link: undefined;
  unlink: undefined;
  makeFolder: undefined;
  list: readonly string[];
  inspect: FileFacts | null;
  read: Uint8Array | null;
  resolve: string;
  wait: undefined;
}

export type FileResult = FileResults[keyof FileResults];

/** Runs one operation; throws the system's error with its `code`. */
export interface FileOperations {
  run(operation: FileOperation): Promise<FileResult>;
  runSync(operation: FileOperation): FileResult;
}

/** Where a writer's calls to the file system go. */
export interface FileSystemOptions {
  /** In place of the system's files: for tests. */
  readonly operations?: FileOperations | undefined;
}
