// What executes the steps of a view that wait: where that is.
export { boundPredicate } from './bound-view.ts';
export { settleSteps, settleStepsToRead } from './settle-steps.ts';
