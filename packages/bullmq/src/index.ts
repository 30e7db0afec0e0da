// The public face of @colkit/bullmq: scans of datasets over workers of BullMQ, a job for each split.
export { createScanWorker } from './scan-worker.ts';
export type { AllowedPaths, ScanSource, ScanWorkerOptions } from './scan-worker.ts';
export { runDistributed } from './run-distributed.ts';
export type { DistributedAnswer, DistributedOptions, DistributedPlan, DistributedProgress } from './run-distributed.ts';
export { SplitError } from './split-error.ts';
