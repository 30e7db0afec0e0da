// In which order candidates take their turns: every candidate once a round, each round starting with another one and
// every second round backwards, so that drift of the machine and the neighbour that ran just before are shared out
// evenly.

/** The order of one round. */
export function roundOrder<T>(candidates: readonly T[], round: number): T[] {
  const start = candidates.length === 0 ? 0 : Math.floor(round / 2) % candidates.length;
  const rotated = [...candidates.slice(start), ...candidates.slice(0, start)];
  return round % 2 === 0 ? rotated : rotated.reverse();
}
