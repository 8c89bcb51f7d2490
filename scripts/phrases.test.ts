import { expect, it } from 'vitest';
import { findPhrases } from './phrases.ts';

it('returns each phrase with its line and a suggested replacement', () => {
  expect(findPhrases('First line.\nThe run goes on, again and again.')).toEqual([
    { line: 2, phrase: 'goes on', instead: 'continues, resumes' },
    { line: 2, phrase: 'again and again', instead: 'repeatedly, or a number' },
  ]);
});

it('accepts the same words where they are idiomatic', () => {
  expect(findPhrases('The badge goes on the button. As long as it is open. So many that it fails.')).toEqual(
    [],
  );
});
