// Golden files of the tests as seeds: what the Python packages wrote.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Seed } from './format.ts';

/** Of one package those up to so many bytes. The path counts from dist/, where this is bundled to. */
export function goldenFiles(name: string, extension: string, mostBytes: number): readonly Seed[] {
  const folder = fileURLToPath(new URL(`../../${name}/test/golden`, import.meta.url));
  if (!existsSync(folder)) throw new Error(`${folder}: no golden files`);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(`.${extension}`))
    .sort()
    .map((path) => ({ name: path, bytes: new Uint8Array(readFileSync(join(folder, path))) }))
    .filter(({ bytes }) => bytes.length <= mostBytes);
}
