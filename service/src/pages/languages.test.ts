import express, { type Request } from 'express';
import { describe, expect, test } from 'vitest';
import { chooseLanguage, directionOf, languages } from './languages.ts';

describe('the language of a page', () => {
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
