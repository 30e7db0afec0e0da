import { libraryBuild } from '../../tsup.base.ts';

const ENTRIES = {
  index: 'src/index.ts',
  csv: 'src/csv/index.ts',
  json: 'src/json/index.ts',
  parquet: 'src/parquet/index.ts',
};

export default libraryBuild(ENTRIES, { types: ENTRIES });
