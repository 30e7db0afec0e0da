// A Vite plugin that mends the setup file which Stryker (@stryker-mutator/vitest-runner 9.3) puts before every test
// file. `afterAll` of vitest 4.1 gives a context first and the suite behind it, so that the hook failed, unseen, and
// with it all coverage was lost. And what a test file does while it is collected is to be of the same mutant as its
// tests.
const MENDS = [
  ['afterAll((suite) =>', 'afterAll(({}, suite) =>'],
  ["if (mutantActivation === 'static') {", 'if (true) {'],
];

export const mendedSetup = {
  name: 'mended-setup-of-stryker',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/stryker-setup-\d+\.js$/u.test(id)) return undefined;
    return MENDS.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`the setup file of Stryker has changed: nothing of ${from} in it`);
      return text.replaceAll(from, to);
    }, code);
  },
};
