// Threads that do what would block others: one pool for all formats, its other end, and threads that wait between uses.
export { answerTasks } from './answer-tasks.ts';
export type { Answer, TaskAnswers } from './answer-tasks.ts';
export { KeptThreads } from './kept-threads.ts';
export type { KeptOptions } from './kept-threads.ts';
export { receivedError, sentError } from './messages.ts';
export type { SentError } from './messages.ts';
export { findScript, mayStartThreads } from './script.ts';
export type { ScriptSearch, ThreadScript } from './script.ts';
export { ThreadPool } from './thread-pool.ts';
export type { AskOptions, PoolOptions, ThreadJob } from './thread-pool.ts';
