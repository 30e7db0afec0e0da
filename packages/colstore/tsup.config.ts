import { libraryBuild } from '../../tsup.base.ts';

export default libraryBuild({ index: 'src/index.ts' }, { types: { browser: 'src/browser.ts' } });
