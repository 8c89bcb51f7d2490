import { languages, type Language } from '@connector-auth/api';
import { describe, expect, test } from 'vitest';
import { things } from '../../test/scripted.ts';
import { kinds } from '../kinds.ts';
import { describeAccounts, describeAuthMethods, describeIssues, describeSettings } from './describe.ts';
import { messages as ofAllKinds } from './messages/index.ts';
import { pairsOf, translator } from './translate.ts';
import type { Messages, Words } from './words.ts';

const translated = languages.filter(language => language !== 'en');
const all: readonly Messages[] = [ofAllKinds, ...kinds.flatMap(({ messages }) => messages ?? [])];

/** Returns every English text of the kinds with its translation, as far as the language has one. */
function pairsIn(language: Language): (readonly [string, string])[] {
  return all.flatMap(messages => {
    const words = messages[language];
    return words === undefined ? [] : pairsOf(messages.en, words);
  });
}

describe('the languages of a kind', () => {
  test.each(kinds)('$key has words in all languages', ({ messages }) => {
    expect(Object.keys(messages ?? {}).sort()).toEqual([...languages].sort());
  });

  test.each(translated)('%s translates a text in the same way wherever it occurs', language => {
    const ways = Map.groupBy(pairsIn(language), ([text]) => text);
    const ambiguous = [...ways].filter(([, pairs]) => new Set(pairs.map(([, other]) => other)).size > 1);
    expect(ambiguous).toStrictEqual([]);
  });

  test.each(translated)('%s keeps the names of placeholders, and leaves no text empty', language => {
    const placeholders = (text: string) => text.match(/\{\w+\}/g)?.sort();
    for (const [text, translation] of pairsIn(language)) {
      expect(placeholders(translation)).toStrictEqual(placeholders(text));
      expect(translation.trim()).toBe(translation);
      expect(translation).not.toBe('');
    }
  });

  test.each(kinds)('$key declares every customer-facing text of its forms in its messages', kind => {
    const texts = new Set(pairsOf(kind.messages!.en, kind.messages!.en).map(([text]) => text));
    const schemas = describeAuthMethods(kind, { hasOAuthApp: true }).map(({ schema }) => schema);
    const fields = [...schemas, describeSettings(kind)].flatMap(schema =>
      // Each property of a JSON Schema is an object.
      Object.values((schema?.['properties'] ?? {}) as Record<string, Record<string, string>>),
    );
    const shown = fields.filter(field => field['x-audience'] !== 'integrator');
    expect(shown.flatMap(({ title = '', description = '' }) => [title, description])).toSatisfy(
      (shownTexts: string[]) => shownTexts.every(text => texts.has(text)),
    );
  });
});

describe('translator', () => {
  const messages = {
    en: { greeting: 'Hello', steps: ['One', 'Two'], nested: { lost: '{thing} (lost)' } },
    de: { greeting: 'Hallo', steps: ['Eins', 'Zwei'], nested: { lost: 'Verloren: {thing}' } },
    fr: { greeting: 'Bonjour' },
  } satisfies Messages;

  test('translates texts, lists and placeholders, and leaves other texts alone', () => {
    const translate = translator({ messages }, 'de');
    expect(['Hello', 'Two', 'A+B (lost)', '612-045-9183'].map(translate)).toStrictEqual([
      'Hallo',
      'Zwei',
      'Verloren: A+B',
      '612-045-9183',
    ]);
  });

  test('falls back to English for a missing language or message, and for a kind without messages', () => {
    expect(translator({ messages }, 'ja')('Hello')).toBe('Hello');
    expect(['Hello', 'Two', 'Key (lost)'].map(translator({ messages }, 'fr'))).toStrictEqual([
      'Bonjour',
      'Two',
      'Key (lost)',
    ]);
    expect(translator(things, 'de')('Hello')).toBe('Hello');
    expect(describeAuthMethods(things, { language: 'de' })[0]).toMatchObject({ title: 'Key' });
  });

  test('never takes the words of a vendor for a pattern', () => {
    const words: Words = { all: '{source}: {reason}' };
    const translate = translator({ messages: { en: words, de: { all: '{reason} ({source})' } } }, 'de');
    expect(translate('Gong: {source}\nsecond line')).toBe('{source}\nsecond line (Gong)');
  });
});

test('translates the sentences of issues, and keeps those of vendors', () => {
  const issues = [
    { path: 'credentials.api_key', message: 'Paste the API key' },
    { path: 'credentials.access_key_secret', message: "Gong didn't accept this: Bad key" },
    { path: 'credentials.other', message: 'Unknown field' },
  ];
  expect(describeIssues(kinds, issues, 'de').map(({ message }) => message)).toStrictEqual([
    'Fügen Sie den API-Schlüssel ein',
    'Gong hat diese Angabe nicht akzeptiert: „Bad key“',
    'Unknown field',
  ]);
});

test("translates an account's role and reason, but neither its name nor its currency", () => {
  const googleAds = kinds.find(({ key }) => key === 'google-ads')!;
  const account = {
    id: '6120459183',
    name: 'Manager',
    detail: '612-045-9183 · EUR · Client · Test account',
    selectable: false,
    reason: 'This account is canceled',
  };
  expect(describeAccounts(googleAds, [account], 'de')).toStrictEqual([
    {
      ...account,
      detail: '612-045-9183 · EUR · Kundenkonto · Testkonto',
      reason: 'Dieses Konto ist gekündigt',
    },
  ]);
});
