// Two additions to VitePress's Markdown: `<!-- figures … -->` becomes charts of the measured results, a fence `picture`
// becomes a picture of bytes.
import type { MarkdownOptions } from 'vitepress';
import { chartsFor, overview } from './figures/page.ts';
import { pictureOf } from './picture.ts';

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

/**
 * `<!-- figures overview -->` for a line a suite, `<!-- figures -->` for all of all suites, `<!-- figures w1 -->` for
 * one, `<!-- figures w1 a-new -->` for one task of it, `<!-- figures w1 medians -->` for the table of its tasks,
 * `<!-- figures w1 sizes -->` for the sizes of its files.
 */
const MARKER = /^<!-- figures((?: [\w.-]+){0,2}) -->$/gm;

/** Fences that tests of the formats read; for people they are plain text. */
const DUMPS: ReadonlySet<string> = new Set(['file', 'example']);

export function extendMarkdown(md: MarkdownIt): void {
  md.core.ruler.before('normalize', 'figures', (state) => {
    state.src = state.src.replace(MARKER, (_, names: string) => {
      const [suite, task] = names.trim().split(' ');
      if (suite === 'overview') return overview();
      return chartsFor(suite === undefined || suite === '' ? null : suite, task ?? null);
    });
  });
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, options, environment, renderer) => {
    const token = tokens[index];
    if (token?.info.trim() === 'picture') return pictureOf(token.content);
    if (token !== undefined && DUMPS.has(token.info.trim())) token.info = 'txt';
    return fence?.(tokens, index, options, environment, renderer) ?? '';
  };
}
