// `colkit serve-arrow` alone, for the file that the wheel for Python carries.
import { serveProcess } from './serve/process.ts';

void serveProcess();
