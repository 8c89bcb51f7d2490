import { languages } from '@connector-auth/api';
import { describe, expect, test } from 'vitest';
import { messages } from './index.ts';

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
