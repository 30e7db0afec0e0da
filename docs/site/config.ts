// The settings of the site: navigation, search, and the two things that its Markdown knows beyond VitePress's (figures
// and pictures of bytes).
import type { DefaultTheme, UserConfig } from 'vitepress';
import { extendMarkdown } from './markdown.ts';
import { navigation, sidebar } from './sidebar.ts';

/** What of a page is searched: all of it, but not the signatures of the API, whose names stand in the headings. */
const renderForSearch: NonNullable<DefaultTheme.LocalSearchOptions['_render']> = (source, environment, md) =>
  md.render(
    environment.relativePath.startsWith('api/') ? source.replace(/^```[\s\S]*?^```$/gm, '') : source,
    environment,
  );

export function siteConfig(): UserConfig<DefaultTheme.Config> {
  const base = process.env['DOCS_BASE'] ?? '/';
  return {
    title: 'colkit',
    description: 'File formats for columns, tables and training items, for Node and TypeScript',
    lang: 'en',
    base,
    head: [['link', { rel: 'icon', href: `${base}favicon.svg`, type: 'image/svg+xml' }]],
    // Dead links are errors (VitePress's default); nothing is exempt.
    ignoreDeadLinks: false,
    srcExclude: ['examples/**', 'test/**', 'site/**'],
    metaChunk: true,
    // The search index is one chunk of more than Vite's usual half megabyte; it is fetched when somebody searches.
    vite: { build: { chunkSizeWarningLimit: 4000 } },
    markdown: { config: extendMarkdown },
    themeConfig: {
      nav: navigation(),
      sidebar: sidebar(),
      outline: [2, 3],
      search: { provider: 'local', options: { _render: renderForSearch } },
      externalLinkIcon: true,
    },
  };
}
