// The settings of the site: navigation, search, and the two things that its Markdown knows beyond VitePress's (figures
// and pictures of bytes).
import { readFileSync } from 'node:fs';
import type { DefaultTheme, UserConfig } from 'vitepress';
import { extendMarkdown } from './markdown.ts';
import { boostDocument } from './search.ts';
import { navigation, sidebar } from './sidebar.ts';

const REPOSITORY = 'https://github.com/colkit/colkit';
/** Where the released site is. A build for another place says so by `DOCS_HOSTNAME` (and `DOCS_BASE`). */
const ADDRESS = 'https://colkit.github.io/colkit/';
const DESCRIPTION = 'File formats for columns, tables and training items, for Node, browsers and TypeScript';
/** The version of the packages, which are released together. */
const { version } = JSON.parse(
  readFileSync(new URL('../../packages/colkit/package.json', import.meta.url), 'utf8'),
) as {
  version: string;
};

/**
 * What of a page is searched: all of it, but not the signatures of the API, whose names stand in the headings, and not
 * the figures, which say the same words a thousand times.
 */
const renderForSearch: NonNullable<DefaultTheme.LocalSearchOptions['_render']> = (source, environment, md) => {
  const path = environment.relativePath;
  if (path.startsWith('figures/')) return path === 'figures/index.md' ? md.render(source, environment) : '';
  return md.render(path.startsWith('api/') ? source.replace(/^```[\s\S]*?^```$/gm, '') : source, environment);
};

export function siteConfig(): UserConfig<DefaultTheme.Config> {
  const base = process.env['DOCS_BASE'] ?? '/';
  const hostname = process.env['DOCS_HOSTNAME'] ?? ADDRESS;
  return {
    title: 'colkit',
    description: DESCRIPTION,
    lang: 'en',
    base,
    head: [
      ['link', { rel: 'icon', href: `${base}favicon.svg`, type: 'image/svg+xml' }],
      ['meta', { property: 'og:type', content: 'website' }],
      ['meta', { property: 'og:site_name', content: 'colkit' }],
      ['meta', { property: 'og:image', content: new URL('workbench.png', hostname).href }],
      ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
    ],
    transformHead: ({ title, description, page }) => [
      ['meta', { property: 'og:title', content: title }],
      ['meta', { property: 'og:description', content: description }],
      ['meta', { property: 'og:url', content: new URL(addressOf(page), hostname).href }],
    ],
    sitemap: { hostname },
    // Dead links are errors (VitePress's default); nothing is exempt.
    ignoreDeadLinks: false,
    srcExclude: ['examples/**', 'test/**', 'site/**'],
    metaChunk: true,
    // The search index is one chunk of more than Vite's usual half megabyte; it is fetched when somebody searches.
    // The workbench's worker loads parts of the packages when they are needed.
    vite: { build: { chunkSizeWarningLimit: 4000 }, worker: { format: 'es' } },
    markdown: { config: extendMarkdown },
    themeConfig: {
      logo: '/favicon.svg',
      nav: [...navigation(), { text: `v${version}`, link: `${REPOSITORY}/blob/main/CHANGELOG.md` }],
      socialLinks: [{ icon: 'github', link: REPOSITORY }],
      sidebar: sidebar(),
      outline: [2, 3],
      search: {
        provider: 'local',
        options: { _render: renderForSearch, miniSearch: { searchOptions: { boostDocument } } },
      },
      externalLinkIcon: true,
    },
  };
}

/** `guide/read.md` -> `guide/read.html`, `api/index.md` -> `api/`: as the sitemap names pages. */
function addressOf(page: string): string {
  return page.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html');
}
