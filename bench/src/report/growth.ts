// Points of a curve -> how it grows: an exponent, and a fixed cost with a cost per unit.

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Growth {
  /** The slope of log y over log x: 0 does not grow, 1 grows in proportion. NaN for fewer than two points. */
  readonly exponent: number;
  /** y = fixed + perUnit * x with the least relative errors; neither is below zero. */
  readonly fixed: number;
  readonly perUnit: number;
}

export function fitGrowth(points: readonly Point[]): Growth {
  const logs = points.map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y), weight: 1 }));
  // Weights of 1 / y^2: a millisecond of error counts more where the whole is a millisecond.
  const line = fitLine(points.map(({ x, y }) => ({ x, y, weight: 1 / (y * y) })));
  return { exponent: fitLine(logs).slope, ...bounded(points, line) };
}

function bounded(
  points: readonly Point[],
  { slope, intercept }: { slope: number; intercept: number },
): Pick<Growth, 'fixed' | 'perUnit'> {
  if (intercept >= 0 && slope >= 0) return { fixed: intercept, perUnit: slope };
  // A negative part is noise: the best fit without it is a mean, of y or of y / x, with the same weights.
  const mean = (value: (point: Point) => number, weight: (point: Point) => number): number =>
    points.reduce((sum, point) => sum + value(point) * weight(point), 0) /
    points.reduce((sum, point) => sum + weight(point), 0);
  if (slope < 0)
    return {
      fixed: mean(
        ({ y }) => y,
        ({ y }) => 1 / (y * y),
      ),
      perUnit: 0,
    };
  return {
    fixed: 0,
    perUnit: mean(
      ({ x, y }) => y / x,
      ({ x, y }) => (x * x) / (y * y),
    ),
  };
}

function fitLine(points: readonly (Point & { readonly weight: number })[]): { slope: number; intercept: number } {
  let [w, wx, wy, wxx, wxy] = [0, 0, 0, 0, 0];
  for (const { x, y, weight } of points) {
    w += weight;
    wx += weight * x;
    wy += weight * y;
    wxx += weight * x * x;
    wxy += weight * x * y;
  }
  const slope = (w * wxy - wx * wy) / (w * wxx - wx * wx);
  return { slope, intercept: (wy - slope * wx) / w };
}
