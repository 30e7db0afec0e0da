// What every library's answers are brought to, so that they can be compared: the loops are the same for all.
export function addNumbers(values) {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += Number(values[i]);
  return sum;
}

/** Moments as milliseconds. */
export function addTicks(values, perMillisecond) {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += Number(values[i]) / perMillisecond;
  return sum;
}

export function addTexts(values) {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i].charCodeAt(0);
  return sum;
}

export function sorted(pairs) {
  return Object.fromEntries([...pairs].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Runs the task that the address asks for, the file opened first, and leaves the answer. The first answer counts from
 * the beginning of the page on, others from when the library is ready.
 */
export async function answer({ load, open, ...tasks }) {
  const asked = new URLSearchParams(location.search);
  const task = asked.get('task');
  await load?.();
  const since = task === 'first answer' ? 0 : performance.now();
  await open(new URL(asked.get('file'), location.href).href);
  const found = await tasks[task]();
  globalThis.answer = { milliseconds: performance.now() - since, found };
}
