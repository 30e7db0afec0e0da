import { fileURLToPath } from 'node:url';
import { libraryBuild } from '../../tsup.base.ts';

const DEFLATE_OF_BROWSERS = fileURLToPath(new URL('src/columns/deflate-browser.ts', import.meta.url));

export default [
  libraryBuild({
    index: 'src/index.ts',
    inspect: 'src/inspect/index.ts',
    'encode-worker': 'src/write/threads/encode-worker.ts',
    'csv-worker': 'src/write/csv/csv-worker.ts',
  }),
  {
    ...libraryBuild({ browser: 'src/reading.ts' }),
    // The build for Node has emptied the folder.
    clean: false,
    esbuildPlugins: [
      {
        name: 'deflate of browsers',
        setup: (build: { onResolve(filter: object, resolve: () => object): void }) => {
          build.onResolve({ filter: /\/deflate\.ts$/ }, () => ({ path: DEFLATE_OF_BROWSERS }));
        },
      },
    ],
  },
];
