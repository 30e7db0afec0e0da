// The pages that people wrote: every Markdown file of docs but the generated ones.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DOCS = fileURLToPath(new URL('..', import.meta.url));

export function pageFiles() {
  const found = [];
  for (const folder of ['.', 'guide', 'formats', 'figures']) {
    for (const entry of readdirSync(join(DOCS, folder), { withFileTypes: true }))
      if (entry.isFile() && entry.name.endsWith('.md') && !entry.name.startsWith('['))
        found.push(join(DOCS, folder, entry.name));
  }
  return found;
}
