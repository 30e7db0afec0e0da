// Gathers in browsers: always in TypeScript.
import type { CreateGatherer } from './gather.ts';
import { createGathererInTypeScript } from './gather-js.ts';

export const createGatherer: CreateGatherer = (source, segments) => createGathererInTypeScript(source, segments);
