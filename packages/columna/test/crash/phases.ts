// The moments of each kind of write at which a process can die, each told before what follows it is done.
export const PHASES = {
  new: ['before the first byte', 'temporary file made', 'writing', 'synced, not yet in place', 'in place', 'finished'],
  overwrite: ['before the first byte', 'temporary file made', 'writing', 'synced, not yet in place', 'in place', 'finished'],
  stream: ['before the first byte', 'partial file made', 'writing pages', 'pages written, not synced', 'writing a footer', 'footer written, not synced', 'checkpoint acknowledged', 'in place', 'finished'],
  append: ['before the first byte', 'writing pages', 'pages written, not synced', 'writing a footer', 'footer written, not synced', 'checkpoint acknowledged', 'finished'],
} as const;

export type Mode = keyof typeof PHASES;
export const MODES = Object.keys(PHASES) as Mode[];
export type Phase = (typeof PHASES)[Mode][number];

/** One line of a writer: where it is, and how many rows were acknowledged so far. */
export interface Announcement {
  readonly phase: Phase;
  readonly acknowledgedRows: number;
}

export const lineOf = ({ phase, acknowledgedRows }: Announcement): string => `${String(acknowledgedRows)} ${phase}\n`;

export function parseLine(line: string): Announcement {
  const space = line.indexOf(' ');
  return { phase: line.slice(space + 1) as Phase, acknowledgedRows: Number(line.slice(0, space)) };
}
