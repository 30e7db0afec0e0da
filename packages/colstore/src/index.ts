// The public face of colstore in Node: what browsers have too, tables of many files, and files that grow, are rewritten
// and recovered.
export * from './browser.ts';
export type { InfoOptions } from './open-options.ts';
export type { ManyOpenable } from './many/given-files.ts';
export { edit } from './edit.ts';
export type { ColStoreEdit } from './edit.ts';
export type {
  ApplyOptions,
  ColumnFunction,
  ConditionOptions,
  CutFlow,
  CutFlowStep,
  DerivedValue,
  DerivedValues,
  EditWriter,
  ReportOptions,
  TableEdit,
} from '@colkit/table';
export { compact, compactSync, upgrade, upgradeSync } from './rewrite/compact.ts';
export type { UpgradeOptions } from './rewrite/compact.ts';
export { concat, concatSync } from './rewrite/concat.ts';
export type { ConcatOptions } from './rewrite/concat.ts';
export { recover, recoverSync } from './rewrite/recover.ts';
export type { RecoverOptions, Recovery } from './rewrite/recover.ts';
export type { RewriteOptions } from './rewrite/rewrite-options.ts';
export { verify, verifySync } from './rewrite/verify.ts';
export type { Verification, VerifyOptions, VerifyProgress } from './rewrite/verify.ts';
export { create, createSync, recreate, recreateSync, update, updateSync } from './streams/open-writer.ts';
export type { StreamOptions } from './streams/open-writer.ts';
export { append, appendAll, appendAllSync, appendSync } from './shards/append.ts';
export type { AppendInput, AppendOptions } from './shards/append.ts';
export { ColStoreAppender, appender, appenderSync } from './shards/appender.ts';
export type { AppenderOptions } from './shards/appender.ts';
export { ColStoreWriter } from './streams/record-writer.ts';
export type { Checkpoint } from './streams/record-writer.ts';
export type { OnMismatch } from '@colkit/table';
