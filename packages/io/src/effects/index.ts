// The effects of @colkit/io, for the packages above it: who waits, in which form.
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
export { ReadRanges, openedSource, smallFiles } from './node-sources.ts';
export { willReadFiles } from '../source/held/small-files.ts';
export { LazyPart } from './lazy-part.ts';
export { withSource } from './with-source.ts';
export { isTurnOver, passTurn } from './turns.ts';
export { nextTurn } from '../backend/timers.ts';
export { isAwaited, iterated, untilAborted } from './until-aborted.ts';
