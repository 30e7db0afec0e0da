// Figures as a table of Markdown.

export function median(samples) {
  const sorted = [...samples].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function table(head, lines) {
  const rule = head.map((_, index) => (index === 0 ? '---' : '--:'));
  return `${[head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}
