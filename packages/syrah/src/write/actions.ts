// Writing is described once, as a generator of actions, and performed in either form: awaited, or on the calling thread. Where everything fits a buffer there is no action.
export interface Action {
  run(): Promise<void>;
  runSync(): void;
}

export type Actions<T = void> = Generator<Action, T, undefined>;

export async function runActions<T>(actions: Actions<T>): Promise<T> {
  for (;;) {
    const step = actions.next();
    if (step.done === true) return step.value;
    await step.value.run();
  }
}

export function runActionsSync<T>(actions: Actions<T>): T {
  for (;;) {
    const step = actions.next();
    if (step.done === true) return step.value;
    step.value.runSync();
  }
}
