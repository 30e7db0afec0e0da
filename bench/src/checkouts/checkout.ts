// A candidate of this bench over the libraries of another checkout: the same tasks, word for word, against two states
// of the code.
import { existsSync, realpathSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PACKAGE_FOLDER } from './package-folder.ts';

/** The root of the other checkout, which is set up and built. */
export const CHECKOUT_VARIABLE = 'COLKIT_BENCH_CHECKOUT';

/** What a peer imports of the repository. What these import in turn is found from where they lie. */
const LIBRARIES = ['colstore', 'columna', 'syrah', '@colkit/io'] as const;

/** What the hook is told: the modules by name, and for whose imports they stand. */
export interface Redirection {
  readonly importers: string;
  readonly modules: Readonly<Record<string, string>>;
}

/** Where another checkout has its libraries. @throws Error where it is none, or is not built. */
export function redirectionTo(checkout: string): Redirection {
  const manifest = join(resolve(checkout), 'bench', 'package.json');
  if (!existsSync(manifest))
    throw new Error(`${checkout} is no checkout of this repository: it has no bench/package.json`);
  const { resolve: find } = createRequire(manifest);
  const root = `${realpathSync(checkout)}${sep}`;
  const modules = Object.fromEntries(
    LIBRARIES.map((name) => {
      try {
        const path = realpathSync(find(name));
        // NODE_PATH, which package managers set, may lead into this checkout again.
        if (path.startsWith(root)) return [name, pathToFileURL(path).href];
      } catch {
        // The same as a path somewhere else.
      }
      throw new Error(`${checkout} has no ${name} to run: \`npm run setup && npm run build\` there`);
    }),
  );
  return { importers: pathToFileURL(`${PACKAGE_FOLDER}/`).href, modules };
}

/** From now on this process's peers import the other checkout's libraries. */
export function useCheckout(checkout: string): void {
  register('./checkout-hook.js', import.meta.url, { data: redirectionTo(checkout) });
}
