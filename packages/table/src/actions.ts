// Writing is described once, as a generator of actions, and performed in either form: awaited, or on the calling thread.

/** One thing that takes time: reading input, encoding, a call to the file system. */
export interface Action<T> {
  run(): Promise<T>;
  runSync(): T;
}

export type Actions<T = void> = Generator<Action<unknown>, T, unknown>;

/** One action within a procedure, with the type of its result. */
export function* perform<T>(action: Action<T>): Actions<T> {
  return (yield action) as T;
}

/** What an action throws is thrown where it was asked for, so that the procedure can clean up. */
export async function runActions<T>(actions: Actions<T>): Promise<T> {
  let step = actions.next();
  while (step.done !== true) {
    let result: unknown;
    try {
      result = await step.value.run();
    } catch (error) {
      step = actions.throw(error);
      continue;
    }
    step = actions.next(result);
  }
  return step.value;
}

export function runActionsSync<T>(actions: Actions<T>): T {
  let step = actions.next();
  while (step.done !== true) {
    let result: unknown;
    try {
      result = step.value.runSync();
    } catch (error) {
      step = actions.throw(error);
      continue;
    }
    step = actions.next(result);
  }
  return step.value;
}
