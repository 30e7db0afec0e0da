// Which version of a file was looked at, and that it is still the one that is there.
import { IoError } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import type { PartVersion } from './part-format.ts';

/**
 * @param footerCrc CRC-32 of what describes the file's data; null: the format has none.
 */
export function versionOf(
  source: Pick<RandomAccessSource, 'byteLength' | 'isSync' | 'version'>,
  footerCrc: number | null,
): PartVersion {
  const { byteLength, isSync } = source;
  const told = source.version ?? null;
  // A checksum is the same in copies of a local file; its inode and time are not.
  return { byteLength, etag: isSync && footerCrc !== null ? null : told, footerCrc };
}

/**
 * Where a file has no ETag, as one of a disk that was copied from a bucket, length and footer CRC tell what it is.
 * @throws IoError ERR_FILE_CHANGED.
 */
export function requireVersion(name: string, expected: PartVersion, found: PartVersion): void {
  const isUntagged = expected.etag === null || (found.etag === null && found.footerCrc !== null);
  const isSame =
    expected.byteLength === found.byteLength &&
    expected.footerCrc === found.footerCrc &&
    (isUntagged || expected.etag === found.etag);
  if (isSame) return;
  throw new IoError(
    'ERR_FILE_CHANGED',
    'read',
    name,
    `another version of the file is there than the one that was looked at (${textOf(expected)}, now ` +
      `${textOf(found)}); open the dataset, or make the splits, again`,
  );
}

function textOf({ byteLength, etag, footerCrc }: PartVersion): string {
  return [
    `${String(byteLength)} bytes`,
    ...(footerCrc === null ? [] : [`footer CRC ${footerCrc.toString(16)}`]),
    ...(etag === null ? [] : [`version ${JSON.stringify(etag)}`]),
  ].join(', ');
}
