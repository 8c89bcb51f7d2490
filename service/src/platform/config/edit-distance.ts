/** Returns the Levenshtein distance between two strings. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** Returns the candidate that differs least from a text, by at most `maxTypos`, or null. */
export function nearest(text: string, candidates: Iterable<string>, maxTypos = 2): string | null {
  const ranked = [...candidates]
    .map(candidate => ({ candidate, typos: editDistance(text, candidate) }))
    .filter(({ typos }) => typos <= maxTypos)
    .sort((a, b) => a.typos - b.typos);
  return ranked[0]?.candidate ?? null;
}
