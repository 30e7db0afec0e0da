// Where the script of a thread is, and the process's options for it.
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface ThreadScript {
  readonly url: URL;
  /** Absent: those of the process. */
  readonly execArgv?: readonly string[];
}

/** Whether this process may start threads: under Node's permission model it says so (`--allow-worker`). */
export function mayStartThreads(): boolean {
  const { permission } = process as { readonly permission?: { has(scope: string): boolean } };
  return permission?.has('worker') ?? true;
}

/** Names of one script that a bundler may give it. */
const ENDINGS = ['.js', '.mjs', '.cjs'];

/** Where to look: beside the module that asks once that is built, elsewhere where it runs from its source. */
export interface ScriptSearch {
  /** `import.meta.url` of who asks; bundles in CommonJS leave nothing there. */
  readonly from: string | undefined;
  readonly built: string;
  readonly fromSource?: string;
}

/** Null where there is none: in a bundle that lacks it, or where nothing was built. */
export function findScript({ from, built, fromSource }: ScriptSearch): ThreadScript | null {
  // Webpack writes down where the module was when it made the bundle, which need not be there where that runs; an
  // executable that has the bundle inside is its own program.
  const places = [from, ...[ownName(), process.argv[1], process.execPath].map(urlOf)];
  const beside = places.map((place) => existing(place, built)).find((url) => url !== null);
  if (beside !== undefined) return { url: beside, ...inheritedOptions(process.execArgv) };
  // Plain threads must not inherit the resolve conditions of what runs from source.
  const other = fromSource === undefined ? null : existing(from, fromSource);
  return other === null ? null : { url: other, execArgv: [] };
}

/**
 * The name of a bundle in CommonJS, which knows no `import.meta.url`. Tried, not asked for: webpack answers
 * `typeof __filename` also where there is none.
 */
function ownName(): string | undefined {
  try {
    return __filename;
  } catch {
    return undefined;
  }
}

function urlOf(path: string | undefined): string | undefined {
  return path === undefined || !isAbsolute(path) ? undefined : pathToFileURL(path).href;
}

function existing(from: string | undefined, path: string): URL | null {
  if (from?.startsWith('file:') !== true) return null;
  const urls = ENDINGS.map((ending) => new URL(path.replace(/\.js$/, ending), from));
  return urls.find((url) => existsSync(fileURLToPath(url))) ?? null;
}

/**
 * Threads inherit the process's options, but a script's type given by option (`node --input-type=module -e`) refuses to
 * start one: then only what finds modules is passed on.
 */
export function inheritedOptions(execArgv: readonly string[]): { readonly execArgv?: readonly string[] } {
  if (!execArgv.some((option) => option.startsWith('--input-type'))) return {};
  const isModules = (option: string | undefined): boolean => option !== undefined && MODULE_OPTION.test(option);
  return {
    execArgv: execArgv.filter((option, k) => {
      const before = execArgv[k - 1];
      return isModules(option) || (isModules(before) && before?.includes('=') === false);
    }),
  };
}

const MODULE_OPTION = /^(?:-C|-r|--conditions|--import|--require|--loader|--experimental-loader)(?:=|$)/;
