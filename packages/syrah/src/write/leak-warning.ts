// A writer that is never closed writes no file, and nothing else would say so: a process warning when it is collected, or when the process has nothing left to do.
/** Watches one writer until `stop`. Holds no reference to it. */
export class LeakWarning {
  readonly #atExit: () => void;

  constructor(owner: object, path: string) {
    this.#atExit = () => warn(path);
    // Each open writer listens; many open writers are no leak of listeners.
    const most = process.getMaxListeners();
    if (most > 0 && process.listenerCount('beforeExit') >= most) process.setMaxListeners(process.listenerCount('beforeExit') + 1);
    process.once('beforeExit', this.#atExit);
    collected.register(owner, { path, atExit: this.#atExit }, this);
  }

  stop(): void {
    collected.unregister(this);
    process.removeListener('beforeExit', this.#atExit);
  }
}

const collected = new FinalizationRegistry<{ path: string; atExit: () => void }>(({ path, atExit }) => {
  process.removeListener('beforeExit', atExit);
  warn(path);
});

function warn(path: string): void {
  process.emitWarning(`${path} was not written: its writer was never closed`, { type: 'SyrahWriterLeak', detail: 'call close(), or declare the writer with "await using"' });
}
