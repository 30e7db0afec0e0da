// Ticks of a column -> Dates, as a work: in browsers what knows the calendar is loaded with the first of them.
export { toDates as datesOf } from './dates.ts';
