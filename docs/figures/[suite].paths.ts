// One page for each suite of bench/ that has results.
import { chartsFor, suiteNames } from '../site/figures/page.ts';

export default {
  paths(): { params: { suite: string }; content: string }[] {
    return suiteNames().map((suite) => ({
      params: { suite },
      content: `# ${suite}\n\n[← all suites](/figures/)\n\n${chartsFor(suite, null)}`,
    }));
  },
};
