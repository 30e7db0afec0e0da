// What the packages export -> what the API reference is made of: every source entry point with the name by which users
// import it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('../../packages/', import.meta.url));
/** Lower layers first: what an upper one exports again is described where it is made. */
const FOLDERS = ['io', 's3', 'table', 'colstore', 'columna', 'syrah', 'bullmq', 'colkit'];

/**
 * `{ name: 'columna/csv', module: 'columna/src/convert/csv', path: '/…/packages/columna/src/convert/csv.ts' }`, …;
 * `module` is what typedoc calls it.
 */
export function entryPoints() {
  return FOLDERS.flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(PACKAGES, folder, 'package.json'), 'utf8'));
    return Object.entries(exports).flatMap(([subpath, target]) => {
      const source = target['@colkit/source'];
      if (source === undefined) return [];
      const path = join(folder, source).replaceAll('\\', '/');
      return [
        { name: name + subpath.slice(1), module: path.replace(/(\/index)?\.ts$/, ''), path: join(PACKAGES, path) },
      ];
    });
  });
}
