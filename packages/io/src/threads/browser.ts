// What of index.ts browsers have: scripts are found by who makes the workers.
export { answerTasks } from './answer-tasks.ts';
export type { Answer, TaskAnswers } from './answer-tasks.ts';
export { KeptThreads } from './kept-threads.ts';
export type { KeptOptions } from './kept-threads.ts';
export { receivedError, sentError } from './messages.ts';
export type { SentError } from './messages.ts';
export { ThreadPool } from './thread-pool.ts';
export type { AskOptions, PoolOptions, ThreadJob } from './thread-pool.ts';
