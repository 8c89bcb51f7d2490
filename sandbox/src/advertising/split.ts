/**
 * Divides whole numbers among children so that the children's parts always add up to the parent's total: each child gets
 * the difference of two rounded running totals. A child can be asked for alone, so a page of rows costs only its own rows.
 */

/** The part of `total` that belongs to a child of this weight, after siblings whose weights add up to `before`, of `sum` in all. */
export function partOf(total: number, before: number, weight: number, sum: number): number {
  return Math.floor((total * (before + weight)) / sum) - Math.floor((total * before) / sum);
}

/** `partOf` for each of several totals that are divided by the same weights. */
export function partsOf(totals: readonly number[], before: number, weight: number, sum: number): number[] {
  return totals.map(total => partOf(total, before, weight, sum));
}

/** Adds `amounts` onto `sums`, element by element. */
export function addOnto(sums: number[], amounts: readonly number[]): void {
  for (const [index, amount] of amounts.entries()) sums[index] = (sums[index] ?? 0) + amount;
}
