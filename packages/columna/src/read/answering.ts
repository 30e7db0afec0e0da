// What answers plans: where that is. In builds for browsers it is loaded with the first question.
export { answerPlan, pageStatistics } from './answer-plan.ts';
