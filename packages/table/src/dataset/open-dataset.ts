// openDataset, for the formats that a caller knows.
import { ArgumentError, SOURCE_OPTIONS, checkOptions, option, pickOptions } from '@colkit/io';
import type { OpenSourceOptions, OptionSet } from '@colkit/io';
import { contextOf, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { OnMismatch } from '../composite/unite-fields.ts';
import { EXPECT_OPTIONS } from '../schema.ts';
import type { ExpectOptions, ExpectedSchema } from '../schema.ts';
import { Dataset } from './dataset.ts';
import { datasetSource } from './dataset-source.ts';
import type { DatasetSource, SourceSettings } from './dataset-source.ts';
import { givenDataset } from './given-dataset.ts';
import type { DatasetInput } from './given-dataset.ts';
import type { PartFormat } from './part-format.ts';
import type { PartitionType } from './path-values.ts';

/** Small files that stay in memory. */
const HELD_BYTES = 32 << 20;

export interface DatasetOptions extends OpenSourceOptions, ExpectOptions {
  /**
   * Where a file has other columns than the first, or other types: 'strict', the default, is ERR_SCHEMA, 'drop' keeps
   * the columns that all have. Their order may differ in any case.
   */
  readonly onMismatch?: OnMismatch;
  /**
   * Folders such as `region=EMEA` are columns: their types by name (others are found out: integers, days, text). false:
   * they say nothing.
   */
  readonly partitions?: false | Readonly<Record<string, PartitionType>>;
  /** Files that stay open while nobody reads them. Default 64. */
  readonly maxOpen?: number;
  /** Of a dataset that is committed to: the version to be read. Default: the newest. */
  readonly version?: number;
  /** Further formats that its files may have. */
  readonly formats?: readonly PartFormat[];
}

export const DATASET_OPTIONS: OptionSet<DatasetOptions> = {
  ...SOURCE_OPTIONS,
  ...EXPECT_OPTIONS,
  onMismatch: option.word('strict', 'drop'),
  partitions: option.kind<false | Readonly<Record<string, PartitionType>>>(
    'false, or an object of dtypes by name',
    (value) => value === false || (typeof value === 'object' && value !== null && !Array.isArray(value)),
  ),
  maxOpen: option.count('files', 1),
  version: option.count('versions', 1),
  formats: option.kind<readonly PartFormat[]>(
    'a list of formats, such as cstoreParts of colstore',
    (value) =>
      Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null && 'extension' in each),
  ),
};

/** As a work; the options were checked. */
export function* openedDataset(
  what: DatasetInput,
  options: DatasetOptions,
  own: readonly PartFormat[],
): Work<DatasetSource> {
  const formats = [...own, ...(options.formats ?? []).filter(({ name }) => !own.some((each) => each.name === name))];
  const settings: SourceSettings = {
    formats,
    onMismatch: options.onMismatch ?? 'strict',
    partitions: options.partitions ?? {},
    maxOpen: options.maxOpen,
    backend: options.backend,
    held: { bytesLeft: HELD_BYTES },
  };
  const { version } = options;
  const given = yield* givenDataset(what, {
    source: pickOptions(SOURCE_OPTIONS, options),
    version,
    accepts: (path) => formats.some(({ extension }) => path.endsWith(extension)),
  });
  const found = given.kind === 'files' ? null : given.manifest.version;
  if (version !== undefined && version !== found)
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'version',
      'the folder or store of a dataset that is committed to, whose version it is',
      found === null ? 'files' : `a manifest of version ${String(found)}`,
    );
  return yield* datasetSource(given, settings);
}

/** @throws as the `openDataset` of the formats. */
export async function openDatasetOf(
  what: DatasetInput,
  options: DatasetOptions,
  own: readonly PartFormat[],
): Promise<Dataset> {
  checkOptions('openDataset', DATASET_OPTIONS, options);
  return opened(await run(openedDataset(what, options, own), contextOf(options)), options.expect);
}

export function openDatasetOfSync(what: DatasetInput, options: DatasetOptions, own: readonly PartFormat[]): Dataset {
  checkOptions('openDatasetSync', DATASET_OPTIONS, options);
  return opened(runSync(openedDataset(what, options, own), contextOf(options)), options.expect);
}

/** Closes it where its columns are not those that are expected. */
function opened(source: DatasetSource, expect: ExpectedSchema | undefined): Dataset {
  try {
    return new Dataset(source, expect);
  } catch (error) {
    source.close();
    throw error;
  }
}
