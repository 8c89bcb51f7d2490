import { languages } from '@connector-auth/api';
import { describe, expect, test } from 'vitest';
import { messages } from './index.ts';

/** Returns the texts in an object by their paths. */
function textsIn(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, member]) => textsIn(member, `${path}.${key}`));
}

describe('messages on the pages of connect links', () => {
  const placeholders = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].toSorted();
  const english = textsIn(messages.en);

  test.each(languages)(
    'translates every message to %s with the same placeholders as in English',
    language => {
      const texts = new Map(textsIn(messages[language]));
      expect([...texts.keys()].toSorted()).toEqual(english.map(([path]) => path).toSorted());
      for (const [path, text] of english) {
        const translated = texts.get(path) ?? '';
        expect(placeholders(translated), path).toEqual(placeholders(text));
        if (language !== 'en') expect(translated, path).not.toBe(text);
      }
    },
  );
});
