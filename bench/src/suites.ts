// The suites of this package, in the order in which they run.
import { calls } from '../suites/calls.ts';
import { csv } from '../suites/csv.ts';
import { dataset } from '../suites/dataset/dataset.ts';
import { formatsFlights, formatsOrders } from '../suites/formats.ts';
import {
  W1_SWEEPS,
  W2_SWEEPS,
  W3A_SWEEPS,
  W3B_SWEEPS,
  W3M_SWEEPS,
  WIDE_SWEEPS,
  formatSweeps,
  withSweeps,
} from '../suites/sweeps.ts';
import { published } from '../suites/published/published.ts';
import { raw } from '../suites/raw/raw.ts';
import { w1 } from '../suites/w1-gather.ts';
import { w2 } from '../suites/w2-scan.ts';
import { w3a, w3b, w3m } from '../suites/w3-items.ts';
import { wide } from '../suites/wide.ts';
import type { Suite } from './suite.ts';

export const SUITES: readonly Suite[] = [
  withSweeps(w1, W1_SWEEPS),
  published,
  raw,
  withSweeps(w2, W2_SWEEPS),
  csv,
  withSweeps(wide, WIDE_SWEEPS),
  withSweeps(w3a, W3A_SWEEPS),
  withSweeps(w3b, W3B_SWEEPS),
  withSweeps(w3m, W3M_SWEEPS),
  withSweeps(formatsFlights, formatSweeps(3_000_000)),
  withSweeps(formatsOrders, formatSweeps(3_000_000)),
  dataset,
  calls,
];
