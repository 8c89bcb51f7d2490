/**
 * Keeps a path such as “Settings → API” on one line. A longer one can be broken after an arrow.
 */
export function unbroken(text: string): string {
  const isLong = text.split(' → ').length > 2;
  return text.replaceAll(' → ', `\u00a0→${isLong ? ' ' : '\u00a0'}`);
}
