import { backendInfo } from '@colkit/io';
import { expect, test } from 'vitest';

test('the suite runs on the backend that its project names', () => {
  expect(backendInfo().backend).toBe(process.env['COLKIT_BACKEND']);
});
