// The order of the pages. The API part is read from the files that typedoc wrote, so it is never behind the code.
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme } from 'vitepress';

const DOCS = fileURLToPath(new URL('..', import.meta.url));

/** Folders of typedoc's member router, in the order in which a reader wants them. */
const KINDS: readonly (readonly [folder: string, title: string])[] = [
  ['functions', 'Functions'],
  ['classes', 'Classes'],
  ['interfaces', 'Interfaces'],
  ['type-aliases', 'Types'],
  ['variables', 'Constants'],
];

/** Everything that can be imported, the formats first: the folders of api/ that have an index. */
function apiModules(): readonly string[] {
  if (!existsSync(`${DOCS}api`)) return [];
  const found = readdirSync(`${DOCS}api`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('/index.md'))
    .map((path) => path.slice(0, -'/index.md'.length).replaceAll('\\', '/'));
  return found.sort((a, b) => Number(a.startsWith('@')) - Number(b.startsWith('@')) || a.localeCompare(b, 'en'));
}

/** The pages that people wrote. A test compares them with the files. */
export const PAGES: readonly {
  readonly text: string;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}[] = [
  {
    text: 'Start',
    items: [
      { text: 'One minute', link: '/' },
      { text: 'Which format?', link: '/guide/which' },
      { text: 'Install', link: '/guide/install' },
      { text: 'Workbench', link: '/workbench' },
      { text: 'Instead of Parquet, SQLite, …', link: '/guide/instead-of' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'Write', link: '/guide/write' },
      { text: 'Read', link: '/guide/read' },
      { text: 'Remote files', link: '/guide/remote' },
      { text: 'Datasets of many files', link: '/guide/datasets' },
      { text: 'Object stores', link: '/guide/object-stores' },
      { text: 'Beyond one machine', link: '/guide/scale-out' },
      { text: 'Query', link: '/guide/query' },
      { text: 'The command', link: '/guide/command' },
      { text: 'Predicates', link: '/guide/predicates' },
      { text: 'Edit a table', link: '/guide/edit' },
      { text: 'Train', link: '/guide/train' },
      { text: 'A whole training run', link: '/guide/train-digits' },
      { text: 'Coming from PyTorch', link: '/guide/from-pytorch' },
      { text: 'Coming from Python’s colstore', link: '/guide/from-python-colstore' },
      { text: 'Its tests, beside ours', link: '/guide/python-colstore-tests' },
      { text: 'Recipes', link: '/guide/recipes' },
      { text: 'In browsers', link: '/guide/browsers' },
      { text: 'In bundles', link: '/guide/bundlers' },
      { text: 'On servers', link: '/guide/servers' },
      { text: 'Performance', link: '/guide/performance' },
      { text: 'Troubleshooting', link: '/guide/troubleshooting' },
    ],
  },
  {
    text: 'The files, byte by byte',
    items: [
      { text: '.cstore', link: '/formats/colstore' },
      { text: '.cna', link: '/formats/columna' },
      { text: '.syr', link: '/formats/syrah' },
      { text: 'Datasets', link: '/formats/dataset' },
      { text: 'colkit serve-arrow', link: '/formats/serve-arrow' },
      { text: 'The order of an epoch', link: '/formats/loader-order' },
    ],
  },
  {
    text: 'Behind it',
    items: [
      { text: 'Measured figures', link: '/figures/' },
      { text: 'Real tables, measured', link: '/figures/corpus' },
      { text: 'What was tried', link: '/performance' },
      { text: 'The native addon', link: '/native' },
      { text: 'Where it runs', link: '/where-it-runs' },
      { text: 'Architecture', link: '/architecture' },
      { text: 'Terms', link: '/terms' },
      { text: 'API reference', link: '/api/' },
    ],
  },
];

export function navigation(): DefaultTheme.NavItem[] {
  return [
    { text: 'Workbench', link: '/workbench' },
    { text: 'Guides', link: '/guide/install', activeMatch: '^/guide/' },
    { text: 'Formats', link: '/formats/colstore', activeMatch: '^/formats/' },
    { text: 'API', link: '/api/', activeMatch: '^/api/' },
    { text: 'Figures', link: '/figures/', activeMatch: '^/figures/' },
  ];
}

export function sidebar(): DefaultTheme.SidebarMulti {
  const sidebars: DefaultTheme.SidebarMulti = { '/': PAGES.map(({ text, items }) => ({ text, items: [...items] })) };
  const modules = apiModules();
  for (const name of modules) sidebars[`/api/${name}/`] = packageSidebar(name);
  sidebars['/api/'] = [
    { text: 'API reference', items: modules.map((name) => ({ text: name, link: `/api/${name}/` })) },
  ];
  return sidebars;
}

/** One package's pages, and the way to the other packages. */
function packageSidebar(name: string): DefaultTheme.SidebarItem[] {
  const groups = KINDS.flatMap(([folder, text]) => {
    const path = `${DOCS}api/${name}/${folder}`;
    if (!existsSync(path)) return [];
    const members = readdirSync(path)
      .filter((file) => file.endsWith('.md'))
      .map((file) => file.slice(0, -3))
      .sort((a, b) => a.localeCompare(b, 'en'));
    return [
      {
        text,
        collapsed: folder !== 'functions' && folder !== 'classes',
        items: members.map((member) => ({ text: member, link: `/api/${name}/${folder}/${member}` })),
      },
    ];
  });
  return [{ text: name, link: `/api/${name}/`, items: [{ text: '← all packages', link: '/api/' }] }, ...groups];
}
