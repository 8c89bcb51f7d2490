/** Ends words with a full stop, so that another sentence can follow. */
export function sentence(words: string): string {
  return words.replace(/\w$/, '$&.');
}
