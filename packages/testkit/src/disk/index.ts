// Disks that lose power: a writer is recorded, and everything that the hardware may leave of its work is looked at.
export { History } from './history.ts';
export type { Change, DiskState, Node } from './history.ts';
export { moments, powerLosses } from './power-losses.ts';
export type { PowerLoss, PowerLossOptions } from './power-losses.ts';
export { RecordingDisk, materialize, quickFolder } from './recording-disk.ts';
export type { RecordingDiskOptions } from './recording-disk.ts';
export { BrokenPromise, needlessSyncs, survive } from './survival.ts';
export type { Survival } from './survival.ts';
export { PowerLossBench } from './power-loss-bench.ts';
export type { PowerLossWriter } from './power-loss-bench.ts';
