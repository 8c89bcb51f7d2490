/** Returns a number with its noun, such as `1 table` or `3 tables`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
