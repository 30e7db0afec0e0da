import { libraryBuild } from '../../tsup.base.ts';

export default libraryBuild({ index: 'src/index.ts', command: 'src/cli/command.ts' });
