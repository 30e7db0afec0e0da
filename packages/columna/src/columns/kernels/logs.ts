// Logarithms of counts, each found once: those who look for bins ask for them millions of times, and the addon's loops
// over the same counts have no others than these.

/** Entries are added so many at a time. */
const STEP = 1 << 12;

class LogTable {
  #logs = new Float64Array(0);

  upTo(most: number): Float64Array {
    if (most < this.#logs.length) return this.#logs;
    const known = this.#logs;
    const logs = new Float64Array(STEP * Math.ceil((most + 1) / STEP));
    logs.set(known);
    for (let number = known.length; number < logs.length; number++) logs[number] = Math.log2(number);
    this.#logs = logs;
    return logs;
  }
}

const table = new LogTable();

/** Logarithms to the base 2 of 0, 1, 2, … up to `most` and more. */
export function logsUpTo(most: number): Float64Array {
  return table.upTo(most);
}
