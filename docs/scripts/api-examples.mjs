// An example for each function and class of the API reference: the first region of docs/examples, which are all run,
// that imports the name from its package and uses it.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const EXAMPLES = fileURLToPath(new URL('../examples', import.meta.url));
const WHOLE_LINES = 40;

let files;

/** Markdown that includes it, or null where no example uses the name. */
export function exampleOf(module, name) {
  files ??= readdirSync(EXAMPLES, { recursive: true })
    .filter((path) => path.endsWith('.ts'))
    .sort((a, b) => a.localeCompare(b, 'en'))
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(EXAMPLES, path), 'utf8') }));
  const used = new RegExp(`\\b${name}[.(<]`);
  for (const { path, text } of files) {
    if (!imports(text, module, name)) continue;
    for (const [, region, code] of text.matchAll(/#region ([\w-]+)\n([\s\S]*?)\/\/ #endregion/g)) {
      if (used.test(code)) return `<<< @/examples/${path}#${region}`;
    }
    if (!text.includes('#region') && used.test(text) && text.split('\n').length <= WHOLE_LINES)
      return `<<< @/examples/${path}`;
  }
  return null;
}

function imports(text, module, name) {
  return [...text.matchAll(/^import \{([^}]*)\} from '([^']+)';/gm)].some(
    ([, names, from]) => from === module && names.split(',').some((imported) => imported.trim() === name),
  );
}
