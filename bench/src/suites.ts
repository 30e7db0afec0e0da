// The suites of this package, in the order in which they run.
import { w1 } from '../suites/w1-gather.ts';
import type { Suite } from './suite.ts';

export const SUITES: readonly Suite[] = [w1];
