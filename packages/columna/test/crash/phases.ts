// The moments of each kind of write at which a process can die.
import { FILE_PHASES } from '@colkit/testkit/announcements';

export const PHASES = {
  new: FILE_PHASES,
  overwrite: FILE_PHASES,
  stream: [
    'before the first byte',
    'partial file made',
    'writing pages',
    'pages written, not synced',
    'writing a footer',
    'footer written, not synced',
    'checkpoint acknowledged',
    'in place',
    'finished',
  ],
  append: [
    'before the first byte',
    'writing pages',
    'pages written, not synced',
    'writing a footer',
    'footer written, not synced',
    'checkpoint acknowledged',
    'finished',
  ],
} as const;

export type Mode = keyof typeof PHASES;
export const MODES = Object.keys(PHASES) as Mode[];
export type Phase = (typeof PHASES)[Mode][number];
