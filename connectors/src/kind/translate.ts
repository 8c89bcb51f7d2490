import type { Language } from '@connector-auth/api';
import { messages as ofAllKinds } from './messages/index.ts';
import { fill, type Messages, type Words } from './words.ts';

/** Returns a text in another language, or the text itself if it has no translation, as a vendor's own words. */
export type Translate = (text: string) => string;

/**
 * Returns a function that translates what a kind's declaration and its errors say for end-customers. It looks up the
 * English text, so that a declaration contains plain strings and errors carry no language.
 */
export function translator({ messages }: { readonly messages?: Messages }, language: Language): Translate {
  const own = messages === undefined ? null : dictionaryOf(messages, language);
  const common = dictionaryOf(ofAllKinds, language);
  return text => own?.(text) ?? common(text) ?? text;
}

type Dictionary = (text: string) => string | null;

const dictionaries = new WeakMap<Messages, Map<Language, Dictionary>>();

function dictionaryOf(messages: Messages, language: Language): Dictionary {
  const known = dictionaries.get(messages) ?? new Map<Language, Dictionary>();
  dictionaries.set(messages, known);
  const dictionary = known.get(language) ?? createDictionary(messages.en, messages[language] ?? messages.en);
  known.set(language, dictionary);
  return dictionary;
}

function createDictionary(english: Words, words: Words): Dictionary {
  const pairs = pairsOf(english, words);
  const translations = new Map(pairs);
  const templates = pairs.flatMap(([text, translation]) =>
    text.includes('{') ? [{ pattern: patternOf(text), translation }] : [],
  );
  return text => {
    const translation = translations.get(text);
    if (translation !== undefined) return translation;
    for (const { pattern, translation } of templates) {
      const values = pattern.exec(text)?.groups;
      if (values !== undefined) return fill(translation, values);
    }
    return null;
  };
}

/** Returns each English text with its translation. A message that a translation lacks stays in English. */
export function pairsOf(english: Words, words: Words): (readonly [string, string])[] {
  return Object.entries(english).flatMap(([name, text]) => {
    const translation = words[name];
    if (typeof text === 'string')
      return [[text, typeof translation === 'string' ? translation : text] as const];
    // A list is an object whose names are numbers.
    return pairsOf(text as Words, (translation ?? text) as Words);
  });
}

/** Returns a pattern that matches a message with any values for its placeholders. */
function patternOf(message: string): RegExp {
  const parts = message.split(/\{(\w+)\}/);
  const source = parts.map((part, index) => (index % 2 === 1 ? `(?<${part}>.*)` : escape(part)));
  return new RegExp(`^${source.join('')}$`, 's');
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
