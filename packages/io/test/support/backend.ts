// Which backend this run of the suite is for: vitest's two projects say it with COLKIT_BACKEND.
import { backendInfo } from '@colkit/io';

export const EXPECTED_BACKEND = process.env['COLKIT_BACKEND'] === 'native' ? 'native' : 'js';
export const IS_NATIVE = backendInfo().backend === 'native';
