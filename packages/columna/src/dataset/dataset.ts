// openDataset: many .cna files as one table.
import { Dataset, openDatasetOf, openDatasetOfSync, provideTableReading } from '@colkit/table';
import type { DatasetInput, DatasetOptions, ExpectedSchema, TypesOf } from '@colkit/table';
import { providePageReading } from '../read/provided-page-reading.ts';
import { cnaParts } from './cna-parts.ts';

/**
 * Opens many files as one table, their rows one file after another: a folder with those in it, a pattern
 * (`orders/*.cna`, `**` for folders), a list of paths, URLs and Blobs, the path or URL of a manifest
 * (`_manifests/….json`), or a store. Of a folder that is committed to (see `commit`) it is what the newest manifest
 * names, and nothing else. Columns are found by name; names and types are checked file by file (`onMismatch`). Folders
 * such as `region=EMEA` are columns (`partitions`). Files in which nothing can match are passed over by their paths,
 * their footers or the manifest. Cost: the footer of each file, a few at a time; of a manifest, the manifest alone.
 * Files are opened when their rows are needed, and few are open at a time (`maxOpen`). Parts of another format are
 * known by `formats: [cstoreParts]`.
 * @throws ArgumentError ERR_SCHEMA naming the file and its columns that differ; IoError ERR_NOT_FOUND,
 * ERR_FILE_CHANGED for a file that is another one by now; CorruptFileError, ERR_MANIFEST of a manifest;
 * UnsupportedError; LimitError.
 */
export function openDataset<const E extends ExpectedSchema>(
  source: DatasetInput,
  options: DatasetOptions & { readonly expect: E },
): Promise<Dataset<TypesOf<E>>>;
export function openDataset(source: DatasetInput, options?: DatasetOptions): Promise<Dataset>;
export async function openDataset(source: DatasetInput, options: DatasetOptions = {}): Promise<Dataset> {
  return openDatasetOf(source, options, [cnaParts]);
}

/** The Sync twin of `openDataset`, for local files. @throws as `openDataset`; UnsupportedError for URLs and stores. */
export function openDatasetSync<const E extends ExpectedSchema>(
  source: DatasetInput,
  options: DatasetOptions & { readonly expect: E },
): Dataset<TypesOf<E>>;
export function openDatasetSync(source: DatasetInput, options?: DatasetOptions): Dataset;
export function openDatasetSync(source: DatasetInput, options: DatasetOptions = {}): Dataset {
  providePageReading();
  provideTableReading();
  return openDatasetOfSync(source, options, [cnaParts]);
}
