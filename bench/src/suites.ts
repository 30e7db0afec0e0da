// The suites of this package, in the order in which they run.
import { formatsFlights, formatsOrders } from '../suites/formats.ts';
import { w1 } from '../suites/w1-gather.ts';
import { w2 } from '../suites/w2-scan.ts';
import { w3a, w3b, w3m } from '../suites/w3-items.ts';
import { wide } from '../suites/wide.ts';
import type { Suite } from './suite.ts';

export const SUITES: readonly Suite[] = [w1, w2, wide, w3a, w3b, w3m, formatsFlights, formatsOrders];
