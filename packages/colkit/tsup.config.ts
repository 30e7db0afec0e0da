import { libraryBuild } from '../../tsup.base.ts';

// Nobody imports the command: it needs no types.
export default {
  ...libraryBuild({ index: 'src/index.ts', command: 'src/command.ts' }),
  dts: { entry: { index: 'src/index.ts' } },
};
