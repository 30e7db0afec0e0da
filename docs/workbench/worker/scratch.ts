// Files of the browser's own for this site, on the disk: what is imported and converted is not held in memory.
let lastNumber = 0;
let folder: Promise<FileSystemDirectoryHandle | null> | null = null;

/**
 * A new file, for as long as the page is open; null where the browser has none that it writes to (private windows of
 * some, Safari before 26).
 */
export async function scratchFile(name: string): Promise<FileSystemFileHandle | null> {
  const files = await (folder ??= openFolder());
  lastNumber += 1;
  return (await files?.getFileHandle(`${String(lastNumber)}-${name}`, { create: true })) ?? null;
}

/** One for each worker: another tab's files stay, unless they are those of a page that was left. */
async function openFolder(): Promise<FileSystemDirectoryHandle | null> {
  try {
    if (!('createWritable' in FileSystemFileHandle.prototype)) return null;
    const root = await navigator.storage.getDirectory();
    const name = `workbench-${crypto.randomUUID()}`;
    await removeLeft(root);
    await holdLock(name);
    return await root.getDirectoryHandle(name, { create: true });
  } catch {
    return null;
  }
}

/** For as long as the worker lives: so others know that it does. */
function holdLock(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const held = (): Promise<void> => {
      resolve();
      return new Promise(() => undefined);
    };
    navigator.locks.request(name, held).catch(reject);
  });
}

async function removeLeft(root: FileSystemDirectoryHandle): Promise<void> {
  for await (const name of root.keys()) {
    if (!name.startsWith('workbench-')) continue;
    await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await root.removeEntry(name, { recursive: true });
    });
  }
}
