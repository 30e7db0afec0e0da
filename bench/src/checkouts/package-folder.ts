// The folder of this package, seen from the built main.js and its chunks (dist/), from peers (dist/peers/) and from the
// sources (src/).
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PACKAGE_FOLDER = above(dirname(fileURLToPath(import.meta.url)));

function above(folder: string): string {
  return existsSync(join(folder, 'package.json')) || dirname(folder) === folder ? folder : above(dirname(folder));
}
