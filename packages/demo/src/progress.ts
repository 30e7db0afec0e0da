// Progress for people: a bar on a terminal, one plain line per step otherwise. Always on stderr, so that the summary
// can be piped.
import cliProgress from 'cli-progress';
import pc from 'picocolors';

export interface Progress {
  update(done: number, total: number): void;
  end(note: string): void;
}

export function startProgress(label: string): Progress {
  const start = performance.now();
  const seconds = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  if (!process.stderr.isTTY) {
    return {
      update: () => undefined,
      end: (note) => process.stderr.write(`${label}: ${note} (${seconds()})\n`),
    };
  }
  const bar = new cliProgress.SingleBar(
    { format: `${label} {bar} {percentage}%`, hideCursor: true, clearOnComplete: true, stream: process.stderr },
    cliProgress.Presets.shades_classic,
  );
  bar.start(1, 0);
  return {
    update: (done, total) => {
      bar.setTotal(total);
      bar.update(done);
    },
    end: (note) => {
      bar.stop();
      process.stderr.write(`${pc.green('✓')} ${label}: ${note} ${pc.dim(`(${seconds()})`)}\n`);
    },
  };
}
