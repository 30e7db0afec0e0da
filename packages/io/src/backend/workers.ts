// How many threads a call may use: one number for the process, shared with the addon, which keeps the threads.
import { availableParallelism } from 'node:os';
import { nativeBindingIfLoaded } from './native.ts';
import { chooseWorkers, chosenWorkers } from './settings.ts';

/**
 * Most threads that one call uses from now on, in the whole process: a gather, a read, a table that is written.
 * Default: the number of physical cores.
 * @throws ArgumentError outside [1, 4096].
 */
export function setMaxWorkers(count: number): void {
  chooseWorkers(count);
  nativeBindingIfLoaded()?.setMaxWorkers(count);
}

/** Most threads that one call uses. (Gathers in TypeScript use the calling thread, whatever this says.) */
export function maxWorkers(): number {
  const chosen = chosenWorkers();
  return chosen > 0 ? chosen : (nativeBindingIfLoaded()?.maxWorkers() ?? availableParallelism());
}
