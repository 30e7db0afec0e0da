import { libraryBuild } from '../../tsup.base.ts';

const ENTRIES = { index: 'src/index.ts' };

export default libraryBuild(ENTRIES, { types: ENTRIES });
