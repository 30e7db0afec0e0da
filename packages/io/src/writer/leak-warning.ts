// A writer that is never closed leaves its file unfinished, and nothing else would say so: a process warning when it is
// collected, or when the process has nothing left to do.
import { visibleText } from '../errors/visible-text.ts';

export interface Leak {
  /** What is wrong with which file: "x.syr was not written: its writer was never closed". */
  readonly message: string;
  /** The warning's name, such as 'SyrahWriterLeak'. */
  readonly type: string;
  /** What to do about it. */
  readonly detail: string;
}

/** Watches one owner until `stop`, and holds no reference to it. Warns at most once. */
export class LeakWarning {
  readonly #atExit: () => void;

  constructor(owner: object, leak: Leak) {
    this.#atExit = () => {
      collected.unregister(this);
      warn(leak);
    };
    // Each open writer listens; many open writers are no leak of listeners.
    const most = process.getMaxListeners();
    if (most > 0 && process.listenerCount('beforeExit') >= most)
      process.setMaxListeners(process.listenerCount('beforeExit') + 1);
    process.once('beforeExit', this.#atExit);
    collected.register(owner, { leak, atExit: this.#atExit }, this);
  }

  stop(): void {
    collected.unregister(this);
    process.removeListener('beforeExit', this.#atExit);
  }
}

const collected = new FinalizationRegistry<{ leak: Leak; atExit: () => void }>(({ leak, atExit }) => {
  process.removeListener('beforeExit', atExit);
  warn(leak);
});

function warn({ message, type, detail }: Leak): void {
  // Node prints it as it is, and it names a file.
  process.emitWarning(visibleText(message), { type, detail: visibleText(detail) });
}
