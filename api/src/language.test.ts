import { describe, expect, test, vi } from 'vitest';
import { languages } from './contract/names.ts';
import { chooseLanguage, directionOf } from './language.ts';

describe('the language for an Accept-Language header', () => {
  test.each([
    ['de', 'de'],
    ['de-AT,en;q=0.5', 'de'],
    ['en;q=0.5, fr;q=0.9', 'fr'],
    ['nl, pt-BR;q=0.8, en;q=0.1', 'pt'],
    ['nl,fr-CA', 'fr'],
    ['AR-eg', 'ar'],
    ['es;q=0, ja', 'ja'],
    ['zh-CN', 'zh'],
    ['zh-Hans-SG', 'zh'],
    ['zh-Hans-TW', 'zh'],
    ['nl', 'en'],
    ['', 'en'],
    [null, 'en'],
    [undefined, 'en'],
    ['*', 'en'],
    ['not a tag, x-private,', 'en'],
    [';;q=x,,', 'en'],
    ['x'.repeat(100_000), 'en'],
  ])('%.50j is %s', (header, language) => {
    expect(chooseLanguage(header)).toBe(language);
  });

  test.each(['zh-TW', 'zh-HK', 'zh-Hant', 'zh-Hant-TW', 'zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7', 'zh-hk, ZH'])(
    'is English for Traditional Chinese, which has no translation: %s',
    header => {
      expect(chooseLanguage(header)).toBe('en');
    },
  );

  test('is the next one if the reader of Traditional Chinese also reads it', () => {
    expect(chooseLanguage('zh-TW,zh;q=0.9,ja;q=0.8')).toBe('ja');
    expect(chooseLanguage('zh-TW,zh-CN;q=0.9')).toBe('zh');
  });

  test('ignores what follows 20 tags or 500 characters, and parses only tags of supported languages', () => {
    const parse = vi.spyOn(Intl, 'Locale');
    expect(chooseLanguage(`${'it-x,'.repeat(19)}de`)).toBe('de');
    expect(parse.mock.calls.flat()).not.toContain('it-x');
    expect(chooseLanguage(`${'it-x,'.repeat(20)}de`)).toBe('en');
    expect(chooseLanguage(`it;${'x'.repeat(500)},de`)).toBe('en');
    parse.mockRestore();
  });
});

test('only Arabic is written right to left', () => {
  expect(languages.filter(language => directionOf(language) === 'rtl')).toEqual(['ar']);
});
