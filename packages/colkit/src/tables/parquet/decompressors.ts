// What decompresses the pages of a Parquet file: the optional peer hyparquet-compressors. It does not load without
// WebAssembly, which the rules of many pages forbid; for SNAPPY, which most files have, hyparquet itself is enough.
import { emptyPages } from '@colkit/table/parquet';
import type { ParquetMetadata } from '@colkit/table/parquet';
import { peers } from '../../formats/peers.ts';

type Decompressors = ReturnType<typeof emptyPages>;

/** @throws UnsupportedError ERR_FEATURE where a chosen column needs the peer, which does not load. */
export async function decompressors(metadata: ParquetMetadata, names: readonly string[]): Promise<Decompressors> {
  const { snappyUncompress } = await peers.hyparquet();
  try {
    return emptyPages(await peers.compressors());
  } catch (error) {
    if (codecsOf(metadata, names).some((codec) => codec !== 'SNAPPY' && codec !== 'UNCOMPRESSED')) throw error;
    return emptyPages({
      SNAPPY(input, outputLength) {
        const output = new Uint8Array(outputLength);
        snappyUncompress(input, output);
        return output;
      },
    });
  }
}

function codecsOf({ row_groups: groups }: ParquetMetadata, names: readonly string[]): string[] {
  const chosen = new Set<string | undefined>(names);
  return groups.flatMap(({ columns }) =>
    columns.flatMap(({ meta_data: meta }) => (chosen.has(meta?.path_in_schema[0]) ? [meta?.codec ?? ''] : [])),
  );
}
