import { libraryBuild } from '../../tsup.base.ts';
// @ts-expect-error a build script without declarations
import { bundlePage } from './scripts/bundle-page.mjs';
import { writeFileSync } from 'node:fs';

const LIBRARY = { index: 'src/index.ts', convert: 'src/tables/exchange.ts', inspect: 'src/page/inspect-html.ts' };

export default {
  ...libraryBuild({ ...LIBRARY, command: 'src/command.ts' }),
  // Nobody imports the command: it needs no types.
  dts: { entry: LIBRARY },
  // The script that inspectHtml puts into its pages.
  onSuccess: async () =>
    writeFileSync(new URL('./dist/inspector-page.js', import.meta.url), await (bundlePage as () => Promise<string>)()),
};
