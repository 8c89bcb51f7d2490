/**
 * Divides integers among children so that their parts add up to the parent's total: each child gets the
 * difference of two rounded running totals. Each part is computed alone, so that a page of rows costs only
 * its own rows.
 */

/**
 * The part of `total` for a child of this weight; `before` is the sum of its preceding siblings' weights,
 * `sum` that of all.
 */
export function partOf(total: number, before: number, weight: number, sum: number): number {
  return Math.floor((total * (before + weight)) / sum) - Math.floor((total * before) / sum);
}

/** `partOf` for several totals with the same weights. */
export function partsOf(totals: readonly number[], before: number, weight: number, sum: number): number[] {
  return totals.map(total => partOf(total, before, weight, sum));
}

/** Adds `amounts` to `sums`, element by element. */
export function addOnto(sums: number[], amounts: readonly number[]): void {
  for (const [index, amount] of amounts.entries()) sums[index] = (sums[index] ?? 0) + amount;
}
