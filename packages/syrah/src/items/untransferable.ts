// Memory that is shared by items must not be transferred away with one of them.
export { markAsUntransferable } from 'node:worker_threads';
