// A typedoc plugin for the API reference: entry points get the names of their packages, re-exports become one short
// list, functions and classes end in an example that the tests run, and text that looks like a tag stays text.
import { Converter, ReflectionKind } from 'typedoc';
import { MarkdownPageEvent } from 'typedoc-plugin-markdown';
import { exampleOf } from './api-examples.mjs';
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
    page.contents = withExample(page, escapeTags(shortenReferences(page.contents ?? '')));
  });
}

/** Functions, classes and options get an example, where there is one. */
function withExample({ model }, markdown) {
  const example =
    model === undefined
      ? undefined
      : namesToUse(model)
          .map((name) => exampleOf(model.parent?.name ?? '', name))
          .find(Boolean);
  return example === undefined ? markdown : `${markdown.trimEnd()}\n\n## Example\n\n${example}\n`;
}

/** What an example of a page uses: of `WriteOptions` it is `write`, of `LoaderOptions` the class `DataLoader`. */
function namesToUse(model) {
  if (model.kindOf(ReflectionKind.Function) || model.kindOf(ReflectionKind.Class)) return [model.name];
  const [, what] = /^(\w+)Options$/.exec(model.name) ?? [];
  return what === undefined ? [] : [what[0].toLowerCase() + what.slice(1), `Data${what}`, `Syrah${what}`];
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
