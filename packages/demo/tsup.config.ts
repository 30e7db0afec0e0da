import { libraryBuild } from '../../tsup.base.ts';

export default libraryBuild({ demo: 'src/demo.ts', candidate: 'src/candidate.ts' });
