// What can go wrong in a processing module: the label decides.
export async function label(value) {
  const [what] = value;
  if (what === 1) throw new TypeError('no ones');
  if (what === 2) process.exit(7);
  if (what === 3) await new Promise((resolve) => setTimeout(resolve, 1e9));
  if (what === 4)
    setTimeout(() => {
      throw new Error('out of the blue');
    }, 0),
      await new Promise((resolve) => setTimeout(resolve, 1e9));
  if (what === 5) return () => 'a function cannot be sent';
  return value;
}
