/** Keeps the arrows in a path such as “Settings → API” on the line of the names around them. */
export function unbroken(text: string): string {
  return text.replaceAll(' → ', '\u00a0→\u00a0');
}
