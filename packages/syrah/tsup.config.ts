import { libraryBuild } from '../../tsup.base.ts';

export default libraryBuild(
  { index: 'src/index.ts', 'loader-worker': 'src/loader/workers/worker-entry.ts' },
  { types: { browser: 'src/browser.ts' }, scripts: ['loader/workers/worker-entry.ts'] },
);
