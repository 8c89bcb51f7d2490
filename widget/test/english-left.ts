import { expect, vi } from 'vitest';
import { messages as gong } from '../../connectors/src/gong/messages/index.ts';
import { messages as googleAds } from '../../connectors/src/google-ads/messages/index.ts';
import { messages as granola } from '../../connectors/src/granola/messages/index.ts';
import { pairsOf } from '../../connectors/src/kind/translate.ts';
import type { Messages as KindMessages } from '../../connectors/src/kind/words.ts';
import { messages as tikTok } from '../../connectors/src/tiktok-marketing/messages/index.ts';
import { FakeService } from '../gallery/fake-service.ts';
import { scenes, setScene, type Scene } from '../gallery/scenes.ts';
import { knownMessages, loadMessages } from '../src/messages/languages.ts';

/**
 * Expects that every scene shows none of our English words in a language. Words of vendors, customers and integrators
 * are what the service responds with and no kind declares.
 */
export async function expectNoEnglish(language: keyof KindMessages): Promise<void> {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await loadMessages(language);
  const own = ownWords(language);
  const left: Record<string, readonly string[]> = {};
  for (const scene of scenes) {
    const english = await textsOf(scene, 'en');
    const translated = await textsOf(scene, language);
    const same = [...translated.texts].filter(
      text => english.texts.has(text) && !own.translations.has(text) && !isForeign(text, english.served),
    );
    if (same.length > 0) left[scene.name] = same;
  }
  expect(left).toStrictEqual({});

  /** Returns whether a text consists of words of others, numbers and signs. */
  function isForeign(text: string, served: ReadonlySet<string>): boolean {
    if (!/\p{L}{2}/u.test(text) || sameWords[language]?.test(text)) return true;
    return served.has(text) && !own.english.has(text);
  }
}

/** Texts with numbers that are the same as in English. */
const sameWords: Partial<Record<string, RegExp>> = { fr: /^\d+ sources?$/ };

/** Returns our texts in English and in another language. */
function ownWords(language: keyof KindMessages) {
  const kinds: readonly KindMessages[] = [gong, googleAds, granola, tikTok];
  const english = kinds.flatMap(({ en }) => pairsOf(en, en));
  const translated = kinds.flatMap(({ en, [language]: words }) => (words ? pairsOf(en, words) : []));
  const ofWidget = Object.values(knownMessages(language) ?? {}).filter(text => typeof text === 'string');
  return {
    english: new Set(english.map(([text]) => text)),
    translations: new Set([...translated.map(([, text]) => text), ...ofWidget]),
  };
}

/** Returns what a scene shows and announces, and the texts that the service has responded with. */
async function textsOf(scene: Scene, language: string) {
  const service = new FakeService(scene.routes);
  const parent = document.createElement('div');
  parent.lang = language;
  // Only the texts matter, and computing the layout takes half of the time.
  parent.hidden = true;
  document.body.append(parent);
  const { shadowRoot } = await setScene(scene, parent, service);
  if (shadowRoot === null) throw new Error('The widget has not rendered');
  const texts = new Set<string>();
  const walker = document.createTreeWalker(shadowRoot, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const found =
      node instanceof Element
        ? ['aria-label', 'title', 'placeholder', 'alt'].map(name => node.getAttribute(name))
        : [node.parentElement?.closest('style') ? null : node.textContent];
    for (const text of found) if (text?.trim()) texts.add(text.trim());
  }
  parent.remove();
  service.close();
  return { texts, served: service.served };
}
