// What bin/colkit.js starts.
import { startProgram } from './program/program.ts';

startProgram();
