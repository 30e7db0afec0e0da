// What a writer that waits to be killed tells the harness: one line for each moment at which it can die, behind what
// was done and before what follows. The harness and the writer share this file, which imports nothing: a writer may
// load it before it changes what others load.

/** The moments of a file that appears at once. */
export const FILE_PHASES = [
  'before the first byte',
  'temporary file made',
  'writing',
  'synced, not yet in place',
  'in place',
  'finished',
] as const;
export type FilePhase = (typeof FILE_PHASES)[number];

/** Where a writer is, and how many rows were acknowledged so far. */
export interface Announcement<Phase extends string> {
  readonly phase: Phase;
  readonly acknowledgedRows: number;
}

export function announcementLine({ phase, acknowledgedRows }: Announcement<string>): string {
  return `${String(acknowledgedRows)} ${phase}\n`;
}

/** @param phases those that the writer can be in. @throws Error for another. */
export function parseAnnouncement<Phase extends string>(line: string, phases: readonly Phase[]): Announcement<Phase> {
  const space = line.indexOf(' ');
  const phase = phases.find((each) => each === line.slice(space + 1));
  if (phase === undefined) throw new Error(`the writer said ${JSON.stringify(line)}`);
  return { phase, acknowledgedRows: Number(line.slice(0, space)) };
}
