// A process module: its exports that are named after keys, wherever items are read. One that has none for any key was
// meant for another dataset, or misspells its names.
import { ArgumentError } from '@colkit/io';

type ProcessModule = Readonly<Record<string, unknown>>;

/** @throws ArgumentError where the module cannot be loaded, or exports nothing for any of the keys. */
export async function loadProcessModule(url: string, keys: readonly (readonly string[])[]): Promise<ProcessModule> {
  let module: ProcessModule;
  try {
    module = (await import(/* webpackIgnore: true */ /* @vite-ignore */ url)) as ProcessModule;
  } catch (error) {
    const refused = new ArgumentError(
      'ERR_ARGUMENT',
      'processModule',
      'a module that can be loaded',
      error instanceof Error ? `${url}: ${error.message}` : url,
    );
    refused.cause = error;
    throw refused;
  }
  const names = new Set(keys.flat());
  if (names.size > 0 && ![...names].some((key) => Object.hasOwn(module, key))) {
    const listed = (texts: Iterable<string>): string => [...texts].map((text) => JSON.stringify(text)).join(', ');
    const exported = Object.keys(module);
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'processModule',
      `an export for at least one of the keys ${listed(names)}`,
      exported.length === 0 ? 'no exports' : `only ${listed(exported)}`,
    );
  }
  return module;
}
