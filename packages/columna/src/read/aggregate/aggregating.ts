// What adds up pages: where that is. In builds for browsers it is loaded with the first aggregate.
export { aggregatePages } from './aggregate-pages.ts';
