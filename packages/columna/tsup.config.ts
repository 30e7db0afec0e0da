import { libraryBuild } from '../../tsup.base.ts';
// @ts-expect-error a build script without declarations
import { bundlePage } from './scripts/bundle-live.mjs';
import { writeFileSync } from 'node:fs';

export default {
  ...libraryBuild({
    index: 'src/index.ts',
    arrow: 'src/convert/arrow.ts',
    csv: 'src/convert/csv.ts',
    parquet: 'src/convert/parquet.ts',
    'encode-worker': 'src/write/encode-worker.ts',
    'csv-worker': 'src/write/csv-worker.ts',
  }),
  // The script that inspectHtml puts into its pages.
  onSuccess: async () =>
    writeFileSync(new URL('./dist/inspector-page.js', import.meta.url), await (bundlePage as () => Promise<string>)()),
};
