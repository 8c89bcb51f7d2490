import { languages, type Language } from '@connector-auth/api';
import { expect, test } from 'vitest';

/** Declares the tests of a page's messages: each language has all of them, with the placeholders of English. */
export function testTranslations<Messages extends object>(
  messages: Readonly<Record<Language, Messages>>,
): void {
  const placeholders = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].toSorted();
  // The messages of pages are texts without groups.
  const textsOf = (language: Language) => Object.entries(messages[language]) as [string, string][];

  test.each(languages)(
    'translates every message to %s with the same placeholders as in English',
    language => {
      const texts = new Map(textsOf(language));
      expect([...texts.keys()].toSorted()).toEqual(Object.keys(messages.en).toSorted());
      for (const [key, english] of textsOf('en')) {
        const text = texts.get(key) ?? '';
        expect(placeholders(text), key).toEqual(placeholders(english));
        if (language !== 'en') expect(text, key).not.toBe(english);
      }
    },
  );
}
