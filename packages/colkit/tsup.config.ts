import { readFileSync, writeFileSync } from 'node:fs';
import { declarations, libraryBuild } from '../../tsup.base.ts';
// @ts-expect-error a build script without declarations
import { buildForBrowsers as untypedBuild } from '../tooling/src/browser-build/build.mjs';
// @ts-expect-error a build script without declarations
import { bundlePage } from './scripts/bundle-page.mjs';

const buildForBrowsers = untypedBuild as (folder: string, entries: readonly string[]) => void;
const LIBRARY = { index: 'src/index.ts', convert: 'src/convert.ts', inspect: 'src/page/inspect-html.ts' };
const inDist = (path: string): URL => new URL(`./dist/${path}`, import.meta.url);

export default {
  ...libraryBuild({ ...LIBRARY, command: 'src/command.ts' }),
  // Nobody imports the command: it needs no types.
  dts: declarations({ ...LIBRARY, 'convert-browser': 'src/convert-browser.ts' }),
  onSuccess: async () => {
    // The script that inspectHtml puts into its pages: a file in Node, a text in the build for browsers.
    const script = await (bundlePage as () => Promise<string>)();
    writeFileSync(inDist('inspector-page.js'), script);
    buildForBrowsers(import.meta.dirname, ['convert-browser.ts', 'page/inspect-html.ts']);
    const module = inDist('browser/page/page-script-browser.js');
    const text = readFileSync(module, 'utf8');
    writeFileSync(
      module,
      text.replace('INSPECTOR_PAGE', () => JSON.stringify(script)),
    );
  },
};
