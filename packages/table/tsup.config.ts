import { libraryBuild } from '../../tsup.base.ts';

export default libraryBuild(
  { index: 'src/index.ts', csv: 'src/csv/index.ts', json: 'src/json/index.ts', parquet: 'src/parquet/index.ts' },
  { types: { index: 'src/index.ts' } },
);
