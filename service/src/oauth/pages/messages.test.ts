import { describe, expect, test } from 'vitest';
import { chooseLanguage, directionOf, languages, messages } from './messages.ts';

describe('the language of a consent page', () => {
  test.each([
    ['de', 'de'],
    ['de-AT,en;q=0.5', 'de'],
    ['en;q=0.5, fr;q=0.9', 'fr'],
    ['nl, pt-BR;q=0.8, en;q=0.1', 'pt'],
    ['zh-Hant-TW', 'zh'],
    ['AR-eg', 'ar'],
    ['es;q=0, ja', 'ja'],
    ['nl', 'en'],
    ['', 'en'],
    [undefined, 'en'],
    ['*', 'en'],
    [';;q=x,,', 'en'],
    ['x'.repeat(100_000), 'en'],
  ])('for Accept-Language %j is %s', (header, language) => {
    expect(chooseLanguage(header)).toBe(language);
  });

  test('is right to left only for Arabic', () => {
    expect(languages.filter(language => directionOf(language) === 'rtl')).toEqual(['ar']);
  });
});

describe('the messages of the consent pages', () => {
  const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

  test.each(languages)('in %s have the placeholders of the English ones, and are translated', language => {
    for (const [key, english] of Object.entries(messages.en)) {
      // All languages share the same keys.
      const text = messages[language][key as keyof typeof messages.en];
      expect(placeholders(text), key).toEqual(placeholders(english));
      if (language !== 'en') expect(text, key).not.toBe(english);
    }
  });
});
