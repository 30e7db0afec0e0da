// What makes batches of samples, and casts them; in browsers it is loaded with the first batch that needs it.
export { castSamples } from '../cast/cast-samples.ts';
export { castStacks } from '../cast/cast.ts';
export { collateSamples } from './collate-samples.ts';
