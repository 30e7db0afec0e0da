import { libraryBuild } from '../../tsup.base.ts';

export default libraryBuild(
  { index: 'src/index.ts', inspect: 'src/inspect/index.ts' },
  { types: { browser: 'src/browser.ts', inspect: 'src/inspect/index.ts' } },
  { 'encode-worker': 'src/write/threads/encode-worker.ts', 'csv-worker': 'src/write/csv/csv-worker.ts' },
);
