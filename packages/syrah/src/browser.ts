// The public face of syrah in browsers, and what Node has too: reading, writing to sinks and handles of files, datasets
// and the loader.
export { create, createSync } from './write/create.ts';
export type { CreateOptions } from './write/create-output.ts';
export { SyrahWriter } from './write/writer.ts';
export {
  ArgumentError,
  CannotViewError,
  ClosedError,
  ColkitError,
  CorruptFileError,
  IoError,
  LimitError,
  MemorySink,
  OutOfRangeError,
  UnknownColumnError,
  UnsupportedError,
  backendInfo,
  isColkitError,
  setDefaultBackend,
} from '@colkit/io';
export type { BackendInfo, ColkitErrorCode, FileHandle, Float16ArrayLike, Sink, WriteTarget } from '@colkit/io';
export { typed } from '@colkit/table';
export { open, openSync } from './open.ts';
export type { ExpectedItems, OpenOptions, Openable } from './open.ts';
export { openShards, openShardsSync } from './shards/open-shards.ts';
export type { ShardsInput } from './shards/named-files.ts';
export { SyrahShards } from './shards/shards.ts';
export type { ItemPlace } from './shards/shards.ts';
export type { SyrahShardsHandle } from './shards/shards-handle.ts';
export type { ShardsOptions } from './shards/shards-options.ts';
export { SyrahFile } from './items/file.ts';
export type { ItemTypes, SyrahItem, SyrahView } from './items/item-record.ts';
export type {
  ArrayOptions,
  GatherKeysOptions,
  GatherOptions,
  ItemOptions,
  ItemReference,
  ViewOptions,
} from './items/item-options.ts';
export type { SyrahHandle } from './items/handle.ts';
export type { Tensor } from './items/gather/gather-items.ts';
export type { SyrahArray, SyrahDType, SyrahDTypeMap, SyrahValue } from './layout/dtype.ts';
export type { FilePart } from './items/part-files.ts';
export type { KeyField } from './layout/metadata.ts';
export type { WireForm } from './layout/read-layout.ts';
export type { SyrahInput, TypedInput } from './write/encode-array.ts';
export type { ItemInput, KeySpec, NamedArrays, SchemaInput } from './write/item-encoder.ts';
export { SyrahConcatDataset } from './loader/concat-dataset.ts';
export { SyrahDataset, SyrahSamples, SyrahSubset } from './loader/dataset.ts';
export type { Dataset, DatasetOptions, DatasetPart, ReadPlan } from './loader/dataset.ts';
export type { SampleField, SampleFields } from './loader/sample-fields.ts';
export type { BatchOf, CastArray, SampleOf } from './loader/batch-types.ts';
export type { CastDType, CastSpec } from './loader/cast/cast-spec.ts';
export { DataLoader } from './loader/loader.ts';
export type { LoaderOptions } from './loader/loader-options.ts';
export { LoaderError, SampleError } from './loader/loader-errors.ts';
export type { SampleOrigin } from './loader/loader-errors.ts';
export type {
  CollateContext,
  CollateFunction,
  CollateOption,
  CollateSpec,
  ListCollate,
  PadCollate,
  PaddedTensor,
  StackCollate,
} from './loader/collate.ts';
export type { ProcessFunction, ProcessFunctions, SampleContext } from './loader/sample.ts';
export type { BatchSampler } from './loader/order/batch-sampler.ts';
export type { BlockShuffle } from './loader/order/block-shuffle.ts';
export { ClassBalancedSampler } from './loader/order/class-balanced-sampler.ts';
export { LengthBuckets } from './loader/order/length-buckets.ts';
export type { LengthBucketsOptions } from './loader/order/length-buckets.ts';
export type { Sampler } from './loader/order/sampler.ts';
export type { SamplerOptions } from './loader/order/sampler-options.ts';
export { WeightedSampler } from './loader/order/weighted-sampler.ts';
export type { Tail } from './loader/order/shard.ts';
export type { LoaderState } from './loader/state.ts';
