// The effects for browsers: the same names as in index.ts.
export { TURN, begin, perform, wait } from './effect.ts';
export type { Begun, Effect, Operation, Work } from './effect.ts';
export { WorkContext } from './work-context.ts';
export type { WorkOptions } from './work-context.ts';
export { contextOf, operationOf, run, runSync } from './run.ts';
export { Result, forEach, iterate, iterateSync } from './stream.ts';
export type { BoundOperation } from './run.ts';
export type { WorkStream } from './stream.ts';
export { ReadRange, readBytes } from './ranges.ts';
export type { RangeSource } from './ranges.ts';
export { ReadRanges, openedSource, smallFiles, willReadFiles } from './browser-sources.ts';
export { LazyPart } from './lazy-part.ts';
export { withSource } from './with-source.ts';
export { isTurnOver, passTurn } from './turns.ts';
export { nextTurn } from '../backend/timers.ts';
export { isAwaited, iterated, untilAborted } from './until-aborted.ts';
