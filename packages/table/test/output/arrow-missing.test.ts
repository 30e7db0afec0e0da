import { expect, test, vi } from 'vitest';
import { tableFrom } from '../support/tables.ts';

vi.mock('apache-arrow', () => {
  throw new Error("Cannot find package 'apache-arrow'");
});

test('where the optional peer is missing, toArrow names it and the command that installs it', async () => {
  await expect(tableFrom({ x: ['int8', [1]] }).toArrow()).rejects.toMatchObject({
    name: 'UnsupportedError',
    code: 'ERR_FEATURE',
    feature: 'apache-arrow',
    message: expect.stringContaining('npm install apache-arrow') as string,
  });
});
