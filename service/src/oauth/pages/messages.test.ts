import express, { type Request } from 'express';
import { describe, expect, test } from 'vitest';
import { chooseLanguage, directionOf, languages, messages } from './messages.ts';

describe('the language of an OAuth page', () => {
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
  ])('chooses the language for Accept-Language %j: %s', (header, language) => {
    const request = Object.assign(Object.create(express.request) as Request, {
      headers: { 'accept-language': header },
    });
    expect(chooseLanguage(request)).toBe(language);
  });

  test('renders only Arabic right to left', () => {
    expect(languages.filter(language => directionOf(language) === 'rtl')).toEqual(['ar']);
  });
});

describe('messages on the OAuth pages', () => {
  const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

  test.each(languages)(
    'translates every message to %s with the same placeholders as in English',
    language => {
      for (const [key, english] of Object.entries(messages.en)) {
        // All languages share the same keys.
        const text = messages[language][key as keyof typeof messages.en];
        expect(placeholders(text), key).toEqual(placeholders(english));
        if (language !== 'en') expect(text, key).not.toBe(english);
      }
    },
  );
});
