import { libraryBuild } from '../../tsup.base.ts';

export default libraryBuild(
  { index: 'src/index.ts', 'loader-worker': 'src/loader/workers/worker-entry.ts' },
  {
    types: { browser: 'src/browser.ts' },
    // Where script-browser.ts has it.
    scripts: { 'loader/workers/syrah/loader-worker': 'loader/workers/worker-entry.ts' },
  },
);
