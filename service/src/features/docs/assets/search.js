/** @typedef {[type: string, name: string, page: string, url: string, words: string]} IndexEntry */

const maxResults = 40;

/**
 * Finds the entries that contain all words, in the name, the page or the text. Best first: the whole name, its start, the
 * start of a word in it, any part, the text. Guides come before everything with a similar name, and error codes after
 * it, unless the query is the code.
 * @param {IndexEntry[]} entries
 * @param {string} query
 */
export function findEntries(entries, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const whole = words.join(' ');
  return entries
    .map(entry => ({ entry, score: scoreOf(entry, words, whole) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxResults)
    .map(({ entry }) => entry);
}

const bonuses = { guide: 8, page: 6, section: 4, action: 4, endpoint: 2, 'error code': -30 };

/**
 * @param {IndexEntry} entry
 * @param {string[]} words
 * @param {string} whole
 */
function scoreOf([type, name, page, , text], words, whole) {
  const title = name.toLowerCase();
  if (title === whole) return 110;
  const around = `${title} ${page.toLowerCase()}`;
  const bonus = bonuses[type] ?? 0;
  if (!words.every(word => around.includes(word)))
    return scoreOfText(`${around} ${text}`, title, words, bonus);
  if (title.startsWith(whole)) return 80 + bonus;
  if (words.every(word => startsWord(title, word))) return 60 + bonus;
  if (words.every(word => title.includes(word))) return 40 + bonus;
  return (words.some(word => title.includes(word)) ? 20 : 10) + Math.max(bonus, 0);
}

/** A text counts more if a part of the query is in the title. */
function scoreOfText(text, title, words, bonus) {
  if (!words.every(word => startsWord(text, word))) return 0;
  return (words.some(word => startsWord(title, word)) ? 50 : 15) + Math.max(bonus, 0);
}

/** Returns whether a word of the text starts so. Plurals are found by `limit`, and `limits` finds a singular. */
function startsWord(text, word) {
  const stem = word.length > 3 ? word.replace(/s$/, '') : word;
  for (let at = text.indexOf(stem); at !== -1; at = text.indexOf(stem, at + 1)) {
    if (at === 0 || !/[a-z0-9]/.test(text[at - 1])) return true;
  }
  return false;
}
