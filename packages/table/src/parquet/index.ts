export { leafType } from './leaf-type.ts';
export type { LeafType, ParquetElement } from './leaf-type.ts';
export {
  TEXT_PARSERS,
  emptyPages,
  parquetFault,
  requireCodecs,
  requirePlainFooter,
  requireRowCounts,
  storedMetadata,
  textOrBytes,
  watchedReads,
} from './stored-metadata.ts';
export type { ParquetMetadata } from './stored-metadata.ts';
