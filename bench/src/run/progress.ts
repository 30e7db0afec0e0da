// Progress for people, on stderr: one line that is rewritten on a terminal, a line for each finished step elsewhere.

export class Progress {
  readonly #terminal = process.stderr.isTTY;
  #shown = '';

  /** What is going on now. Shown on a terminal only. */
  update(text: string): void {
    if (!this.#terminal) return;
    this.#clear();
    this.#shown = text.slice(0, (process.stderr.columns || 80) - 1);
    process.stderr.write(this.#shown);
  }

  /** A step is finished: a line that stays. */
  done(text: string): void {
    this.#clear();
    process.stderr.write(`${text}\n`);
  }

  #clear(): void {
    if (this.#shown !== '') process.stderr.write(`\r${' '.repeat(this.#shown.length)}\r`);
    this.#shown = '';
  }
}
