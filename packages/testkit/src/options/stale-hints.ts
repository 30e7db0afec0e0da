// A command replaces what errors tell a programmer by what is typed: each text that it looks for must still be one that
// some error has.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The hints whose text no source file has. @param folders of sources, the command's own texts being left out. */
export function staleHints(
  hints: readonly (readonly [forProgrammers: string, forUsers: string])[],
  folders: readonly string[],
): string[] {
  const sources = folders.flatMap(sourcesOf);
  return hints.map(([text]) => text).filter((text) => !sources.some((source) => source.includes(text)));
}

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => name.endsWith('.ts') && !/[\\/](cli|command)$/.test(parentPath))
    .map(({ name, parentPath }) => readFileSync(join(parentPath, name), 'utf8'));
}
