// What answers plans: where that is. In builds for browsers it is loaded with the first question.
export { answerPlan } from './answer-plan.ts';
export { pageStatistics } from './filter/column-statistics.ts';
