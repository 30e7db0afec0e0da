// What bin/columna.js starts.
import { startProgram } from '@colkit/io/command';
import { PROGRAM } from './run.ts';

startProgram(PROGRAM);
