/** An unidiomatic phrase and where it was found. */
export interface FoundPhrase {
  readonly line: number;
  readonly phrase: string;
  /** The suggested replacement. */
  readonly instead: string;
}

/**
 * Patterns for unidiomatic phrases, with suggested replacements. Single words are in `flagWords` in
 * `cspell.json`.
 */
const phrases: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\btells? of\b/, 'reports, logs, describes'],
  [/\b(?:is|are|was|were|been|being) (?:told|asked) (?:to|of|so)\b/, 'say who does what'],
  [/\b(?:goes|go|went|going) on\b(?! (?:the|a|an|its|their)\b)/, 'continues, resumes'],
  [/\bbrought on\b/, 'resumed'],
  [/\bbeg[aiu]ns? (?:anew|again|each time)\b/, 'restarts'],
  [/\bso (?:many|much|long)\b(?! (?:as|that)\b)/, 'a limit: up to, at most, max'],
  [/\bas (?:many|much|long) as (?:one|they) (?:likes?|wants?)\b/, 'any number of'],
  [/\bmany times\b|\bagain and again\b/, 'repeatedly, or a number'],
  [/\bstands? in line\b|\bin the line\b/, 'waits in the queue'],
  [/\bthe midst of\b/, 'during'],
  [/\bcomes? to nothing\b/, 'fails'],
  [/\bheld? (?:it|the window|them) back\b/, 'blocked'],
  [/\bfor ever\b/, 'forever, or the limit'],
  [/\bin (?:its|their|our) stead\b/, 'instead'],
  [/\bof (?:ours|its own kind)\b/, 'name it'],
  [/\bdoes not (?:exist|belong) here\b/, 'unknown …'],
  [/\bmust hold\b/, 'is checked, is required'],
  [
    /\b[Ww]ho (?:is|has|finds|asks|comes|calls|reads|waits|runs) [a-z ]+,? (?:is|gets|has|must|may|waits)\b/,
    'name the actor',
  ],
];

/** Finds unidiomatic phrases in text, ignoring case. */
export function findPhrases(text: string): FoundPhrase[] {
  return text.split('\n').flatMap((line, index) =>
    phrases.flatMap(([pattern, instead]) => {
      const match = new RegExp(pattern, 'i').exec(line);
      return match ? [{ line: index + 1, phrase: match[0], instead }] : [];
    }),
  );
}
