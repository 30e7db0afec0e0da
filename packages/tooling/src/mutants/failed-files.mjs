// A vitest reporter: a test file that fails without a failing test (while it is collected, or in a hook) gets one,
// because the mutation tester looks at tests alone and would call such a mutant a survivor.
export class FailedFiles {
  #vitest;

  onInit(vitest) {
    this.#vitest = vitest;
  }

  onTestModuleEnd({ task: file }) {
    if (file.result?.state !== 'fail' || testsOf(file).some(({ result }) => result?.state === 'fail')) return;
    const { errors = [] } = file.result;
    file.tasks.push({
      type: 'test',
      name: 'the file itself',
      mode: 'run',
      suite: undefined,
      file,
      result: { state: 'fail', errors },
    });
    void this.#vitest.cancelCurrentRun('test-failure');
  }
}

function testsOf(suite) {
  return suite.tasks.flatMap((task) => (task.type === 'suite' ? testsOf(task) : task));
}
