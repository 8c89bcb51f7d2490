/**
 * Splits integer totals among children so that the parts add up exactly. Each part is the difference between
 * two rounded cumulative sums, so it can be computed without the other parts.
 */

/**
 * Returns a child's part of `total`. `before` is the sum of the weights that precede the child's, and `sum`
 * is the sum of all weights.
 */
export function partOf(total: number, before: number, weight: number, sum: number): number {
  return Math.floor((total * (before + weight)) / sum) - Math.floor((total * before) / sum);
}

/** Applies `partOf` to several totals that share the same weights. */
export function partsOf(totals: readonly number[], before: number, weight: number, sum: number): number[] {
  return totals.map(total => partOf(total, before, weight, sum));
}

/** Adds up lists of totals, element by element. */
export function addUp(all: Iterable<readonly number[]>): number[] {
  const sums: number[] = [];
  for (const totals of all) {
    for (const [index, total] of totals.entries()) sums[index] = (sums[index] ?? 0) + total;
  }
  return sums;
}
