// A part of the program that is loaded with the first question that needs it: in builds for browsers, where what is not
// used is not to be shipped. `X-browser.ts` beside `X.ts` has the same names and asks for them by such a part.
import { UnsupportedError } from '../errors/errors.ts';
import { perform } from './effect.ts';
import type { Operation, Work } from './effect.ts';

/** Loaded once. A failure (a server that does not answer) is the question's, and the next one tries again. */
export class LazyPart<T extends object> {
  /** Outside of works. */
  readonly load: () => Promise<T>;
  /** To be begun ahead of its use, too. */
  readonly operation: Operation<T>;
  #loaded: T | null = null;

  /** @param load such as `() => import('./answers.ts')`. */
  constructor(load: () => Promise<T>) {
    this.load = async () => (this.#loaded ??= await load());
    this.operation = {
      run: this.load,
      runSync: () => this.loaded,
    };
  }

  /** Where it is known to have been used before. @throws UnsupportedError ERR_FEATURE where it was not. */
  get loaded(): T {
    if (this.#loaded === null) throw notLoaded();
    return this.#loaded;
  }

  /** By who imports it by name, because it is needed at once: Sync entry points. */
  provide(part: T): void {
    this.#loaded = part;
  }

  /** Within a work. @throws UnsupportedError ERR_FEATURE in a Sync form before it was loaded. */
  use(): Work<T> {
    return perform(this.operation);
  }
}

function notLoaded(): UnsupportedError {
  return new UnsupportedError(
    'ERR_FEATURE',
    'a Sync form',
    'in a browser this part of the program is loaded when it is first asked for: use the form that is awaited, at ' +
      'least once',
  );
}
