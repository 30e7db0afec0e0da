// The moments of a write at which a process can die, each told by one byte on standard output before what follows it is done.
export const PHASES = ['before the first byte', 'temporary file made', 'writing', 'synced, not yet in place', 'in place', 'finished'] as const;
export type Phase = (typeof PHASES)[number];

export const byteOfPhase = (phase: Phase): number => 0x30 + PHASES.indexOf(phase);
export const phaseOfByte = (byte: number): Phase | undefined => PHASES[byte - 0x30];
