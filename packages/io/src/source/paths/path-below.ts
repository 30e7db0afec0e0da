// Whether a path or URL lies below a folder, by its text alone: links are not followed.

/**
 * `..` leads out, also where a URL writes its dots %2e. Paths that begin as those of Windows do are compared whichever
 * way their slashes lean.
 */
export function isPathBelow(path: string, folder: string): boolean {
  const [whole, above] = [slashed(path), slashed(folder)];
  const start = /[/\\]$/u.test(above) ? above : `${above}/`;
  if (!whole.startsWith(start)) return false;
  const names = whole.slice(start.length).replace(/%2e/giu, '.').split(/[/\\]/u);
  return !names.includes('..');
}

function slashed(path: string): string {
  return /^(?:[a-z]:[/\\]|\\\\)/iu.test(path) ? path.replaceAll('\\', '/') : path;
}
