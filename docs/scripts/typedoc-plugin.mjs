// A typedoc plugin for the API reference: entry points get the names of their packages, re-exports become one short
// list, and text that looks like a tag does not become one.
import { Converter } from 'typedoc';
import { MarkdownPageEvent } from 'typedoc-plugin-markdown';
import { entryPoints } from './entry-points.mjs';

/** Called by typedoc. */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    const names = new Map(entryPoints().map(({ name, module }) => [module, name]));
    for (const module of project.children ?? [])
      module.name =
        names.get(module.name) ?? fail(`typedoc calls an entry point ${module.name}, which no package exports`);
  });
  app.renderer.on(MarkdownPageEvent.END, (page) => {
    page.contents = escapeTags(shortenReferences(page.contents ?? ''));
  });
}

/** The section `References`, a heading and a rule for each name -> a line of links. */
function shortenReferences(markdown) {
  const [before, references] = markdown.split('\n## References\n');
  if (references === undefined) return markdown;
  const links = [...references.matchAll(/^Re-exports (\[.*\]\(.*\))$/gm)].map(([, link]) => link);
  return `${before}\n## Also exported\n\nFrom the layers below, so that one import is enough: ${links.join(', ')}.\n`;
}

/** `<` of prose -> an entity; fences, inline code, what is escaped already and the anchors of the generator stay. */
function escapeTags(markdown) {
  return markdown
    .split(/(^```[\s\S]*?^```$|`[^`\n]+`|<a id="[^"]*"><\/a>|<br \/>|\\<)/m)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/<(?=[A-Za-z/!])/g, '&lt;')))
    .join('');
}

function fail(message) {
  throw new Error(message);
}
