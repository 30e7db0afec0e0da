// The page cache under the data files: filled before warm runs, emptied before cold ones (GNU dd can ask for that,
// without privileges), and looked at in both.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** Reads whole files once, so that they lie in the page cache. */
export function warmFiles(paths: readonly string[]): void {
  const buffer = Buffer.allocUnsafe(4 << 20);
  for (const path of paths) {
    const fd = openSync(path, 'r');
    try {
      while (readSync(fd, buffer) > 0);
    } finally {
      closeSync(fd);
    }
  }
}

/**
 * Asks the system to drop the cached pages of files. Pages that any process has mapped stay.
 * @returns whether the files are out of the cache now: false where the system cannot do it, or did not.
 */
export function dropFiles(paths: readonly string[]): boolean {
  for (const path of paths) {
    const { status } = spawnSync(
      'dd',
      [`of=${path}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0', 'status=none'],
      { stdio: 'ignore' },
    );
    if (status !== 0) return false;
  }
  const cached = cachedShare(paths);
  return cached !== null && cached < 0.01;
}

/** The share of the files' bytes that is in the page cache (Linux, util-linux's fincore), or null. */
export function cachedShare(paths: readonly string[]): number | null {
  if (paths.length === 0) return null;
  const { status, stdout } = spawnSync('fincore', ['--bytes', '--noheadings', '--raw', '--output', 'RES', ...paths], {
    encoding: 'utf8',
  });
  if (status !== 0) return null;
  const resident = stdout
    .trim()
    .split('\n')
    .reduce((sum, line) => sum + Number(line.trim()), 0);
  const size = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  return size === 0 ? 1 : resident / size;
}
