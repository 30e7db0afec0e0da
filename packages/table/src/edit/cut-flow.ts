// Conditions one after the other -> how many rows each of them left.

export interface CutFlowStep {
  /** What the condition was called, or its text. */
  readonly label: string;
  readonly rowsBefore: number;
  readonly rowsAfter: number;
  /** rowsAfter / rowsBefore; 1 of no rows. */
  readonly share: number;
  /** Sums of the column of weights, where one was named. */
  readonly weightBefore?: number;
  readonly weightAfter?: number;
}

export class CutFlow {
  readonly rowsBefore: number;
  readonly rowsAfter: number;
  readonly steps: readonly CutFlowStep[];

  constructor(rowsBefore: number, steps: readonly CutFlowStep[]) {
    this.rowsBefore = rowsBefore;
    this.rowsAfter = steps.at(-1)?.rowsAfter ?? rowsBefore;
    this.steps = steps;
  }

  /** Lines for people, a step each. */
  toString(): string {
    const rows = [
      ['', 'before', 'after', 'share'],
      ...this.steps.map((step) => [
        step.label,
        String(step.rowsBefore),
        String(step.rowsAfter),
        `${(100 * step.share).toFixed(2)} %`,
      ]),
    ];
    const widths = [0, 1, 2, 3].map((column) =>
      rows.reduce((most, row) => Math.max(most, (row[column] ?? '').length), 0),
    );
    return rows
      .map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0))))
      .map((row) => row.join('  ').trimEnd())
      .join('\n');
  }
}
