import { expect, test, vi } from 'vitest';

vi.mock('apache-arrow', () => {
  throw new Error("Cannot find package 'apache-arrow'");
});

test('where the optional peer is missing, toArrow names it and the command that installs it', async () => {
  // Other files of this process may have loaded it, and what asks for it keeps it.
  vi.resetModules();
  const { tableFrom } = await import('../support/tables.ts');
  await expect(tableFrom({ x: ['int8', [1]] }).toArrow()).rejects.toMatchObject({
    name: 'UnsupportedError',
    code: 'ERR_FEATURE',
    feature: 'apache-arrow',
    message: expect.stringContaining('npm install apache-arrow') as string,
  });
});
