// Who makes batches, and those that are made ahead.
export { startProducer } from '../batch-producer.ts';
export { BatchesAhead } from '../batches-ahead.ts';
