import { COLSTORE } from './colstore.ts';
import { COLUMNA } from './columna.ts';
import type { Format } from './format.ts';
import { SYRAH } from './syrah.ts';

export const FORMATS: readonly Format[] = [COLSTORE, COLUMNA, SYRAH];
