// The suites of this package, in the order in which they run.
import { w1 } from '../suites/w1-gather.ts';
import { w3a, w3b, w3m } from '../suites/w3-items.ts';
import type { Suite } from './suite.ts';

export const SUITES: readonly Suite[] = [w1, w3a, w3b, w3m];
