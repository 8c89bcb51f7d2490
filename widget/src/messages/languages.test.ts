import axe from 'axe-core';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { apiKeyMethod, connector, definition, detail, json, problem } from '../../gallery/fake-service.ts';
import { createRoute, expectText, keyField, openForm, text, withMine } from '../../test/actions.ts';
import { mountWidget, useTokenUrl, type Harness } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { ConnectorAuthElement } from '../index.ts';
import { en } from './en.ts';
import { importable } from './import-language.ts';
import { knownMessages, loadMessages } from './languages.ts';
import type { Messages } from './messages.ts';
import { nearestLanguage } from './nearest-language.ts';

/** Mounts a widget with a `lang`. */
const mountIn = (lang: string, routes = {}): Harness =>
  mountWidget(routes, (widget, service) => {
    widget.lang = lang;
    useTokenUrl(widget, service);
  });

const title = (harness: Harness) => text(harness, '[part="title"]');
const becomes = (harness: Harness, words: string) =>
  until(async () => {
    expect(await title(harness)).toBe(words);
  });

async function messagesOf(lang: string): Promise<Messages> {
  await loadMessages(lang);
  return knownMessages(lang) ?? en;
}

const words: Record<string, string> = {
  ar: 'ربط مصدر بيانات',
  de: 'Quelle verbinden',
  es: 'Conectar una fuente',
  fr: 'Connecter une source',
  ja: 'データソースを接続',
  pt: 'Conectar uma fonte',
  zh: '连接数据源',
};

describe('language', () => {
  test.each(Object.entries(words))('selects the matching language for lang="%s"', async (lang, sentence) => {
    await becomes(mountIn(lang), sentence);
  });

  test.each([
    ['de-AT', 'Quelle verbinden'],
    ['pt-BR', 'Conectar uma fonte'],
    ['zh-CN', '连接数据源'],
    ['zh-Hans-SG', '连接数据源'],
    ['PT_br', 'Connect a source'],
    ['zh-TW', 'Connect a source'],
    ['tlh', 'Connect a source'],
    ['', 'Connect a source'],
  ])('lang="%s" selects the closest language, otherwise English', async (lang, sentence) => {
    const harness = mountIn(lang);
    await harness.find('[data-id]');
    await becomes(harness, sentence);
  });

  test('follows the lang of the nearest ancestor across shadow roots', async () => {
    const outer = document.createElement('div');
    outer.lang = 'fr';
    const inner = document.createElement('div');
    outer.attachShadow({ mode: 'open' }).append(inner);
    document.body.append(outer);
    onTestFinished(() => {
      outer.remove();
    });
    const harness = mountWidget();
    inner.append(harness.widget);
    await becomes(harness, 'Connecter une source');
    // Changes inside the shadow root are also observed.
    inner.lang = 'es';
    await becomes(harness, 'Conectar una fuente');
    inner.removeAttribute('lang');
    await becomes(harness, 'Connecter une source');
    outer.lang = 'ja';
    await becomes(harness, 'データソースを接続');
  });

  test('follows the lang of the document if no closer ancestor sets one', async () => {
    const before = document.documentElement.lang;
    onTestFinished(() => {
      document.documentElement.lang = before;
    });
    const harness = mountWidget();
    await becomes(harness, 'Connect a source');
    document.documentElement.lang = 'de';
    await becomes(harness, 'Quelle verbinden');
    document.documentElement.lang = 'en';
    await becomes(harness, 'Connect a source');
  });

  test('shows two widgets in different languages', async () => {
    const one = mountIn('de');
    const other = mountIn('ja');
    await becomes(one, 'Quelle verbinden');
    await becomes(other, 'データソースを接続');
  });

  test('keeps the user’s input when the language changes', async () => {
    const harness = mountWidget();
    const field = await openForm(harness);
    field.value = 'typed';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    harness.widget.lang = 'de';
    await becomes(harness, 'Granola verbinden');
    expect(((await harness.find(keyField)) as HTMLInputElement).value).toBe('typed');
  });

  test('translates an open form', async () => {
    const harness = mountWidget(withMine(connector()));
    await openForm(harness);
    const label = () => text(harness, 'label[for="field-name"]');
    expect(await label()).toBe('Connection name');
    harness.widget.lang = 'de';
    await until(async () => {
      expect(await label()).toBe('Name der Verbindung');
    });
  });

  test('asks the service for the language of the widget', async () => {
    const asked = async (lang: string) => {
      const harness = mountIn(lang);
      await harness.find('[part="source"]');
      return harness.service.requests
        .filter(({ url }) => url.startsWith(harness.service.url))
        .map(({ headers }) => headers.get('accept-language'));
    };
    expect(new Set(await asked('de-AT'))).toStrictEqual(new Set(['de-AT']));
    expect(new Set(await asked('Klingon, I guess\n'))).toStrictEqual(new Set(['en']));
    // Needs no preflight request: https://fetch.spec.whatwg.org/#cors-safelisted-request-header
    expect(new Set(await asked('de_DE'))).toStrictEqual(new Set(['en']));
    expect(new Set(await asked(''))).toStrictEqual(new Set(['en']));
  });

  describe('the words of sources', () => {
    const isGerman = (request: Request) => request.headers.get('accept-language') === 'de';
    const described = (request: Request) =>
      definition({ description: isGerman(request) ? 'Besprechungsnotizen' : 'Meeting notes' });
    const withWords = {
      'GET /integrations/definitions/sources': (request: Request) =>
        json({ definitions: [described(request)] }),
      'GET /integrations/definitions/sources/*': (request: Request) => {
        const title = isGerman(request) ? 'API-Schlüssel' : 'API key';
        const properties = { api_key: { type: 'string', title } };
        const schema = { type: 'object', properties, required: ['api_key'] };
        return json(detail({ ...described(request), auth_methods: [{ ...apiKeyMethod, title, schema }] }));
      },
    };

    test('follow the language while the catalog is shown', async () => {
      const harness = mountWidget(withWords);
      const shown = () => text(harness, '[part="source"]');
      await until(async () => {
        expect(await shown()).toContain('Meeting notes');
      });
      harness.widget.lang = 'de';
      await until(async () => {
        expect(await shown()).toContain('Besprechungsnotizen');
      });
      expect(harness.events.map(({ type }) => type)).toStrictEqual([
        'connector-auth-ready',
        'connector-auth-step',
      ]);
    });

    test('follow the language in an open form, which keeps the input', async () => {
      const harness = mountWidget(withWords);
      const field = await openForm(harness);
      field.value = 'grn_typed';
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      harness.widget.lang = 'de';
      await expectText(harness, `label[for="field-credentials.api_key"]`, /API-Schlüssel/);
      expect(((await harness.find(keyField)) as HTMLInputElement).value).toBe('grn_typed');
      (await harness.find('[part="back-button"]')).click();
      await expectText(harness, '[part="source"]', /Besprechungsnotizen/);
    });

    test('stay in the old language if the service fails to translate them', async () => {
      const harness = mountWidget(withWords);
      await harness.find('[part="source"]');
      harness.service.use({ 'GET /integrations/definitions/sources': () => problem(503, 'overloaded') });
      harness.widget.lang = 'de';
      await becomes(harness, 'Quelle verbinden');
      await expectText(harness, '[part="source"]', /Meeting notes/);
    });
  });

  test('falls back to English if the language is unknown', async () => {
    const harness = mountIn('de');
    await becomes(harness, 'Quelle verbinden');
    harness.widget.lang = 'nl';
    await becomes(harness, 'Connect a source');
    expect((await harness.find('.panel')).lang).toBe('en');
  });

  test('shares one observer and disconnects it after the last widget is removed', async () => {
    const disconnect = vi.spyOn(MutationObserver.prototype, 'disconnect');
    const observe = vi.spyOn(MutationObserver.prototype, 'observe');
    const one = document.createElement('connector-auth');
    const other = document.createElement('connector-auth');
    document.body.append(one, other);
    expect(new Set(observe.mock.contexts).size).toBe(1);
    one.remove();
    expect(disconnect).not.toHaveBeenCalled();
    other.remove();
    expect(disconnect).toHaveBeenCalledTimes(1);
    await other.updateComplete;
  });

  test('returns an empty language if neither the element nor an ancestor has a lang', () => {
    const lost = document.createElement('div');
    expect(nearestLanguage(lost)).toBe('');
  });
});

describe('Arabic', () => {
  test('renders Arabic right-to-left unless the element has a dir attribute', async () => {
    const harness = mountIn('ar');
    await becomes(harness, words['ar'] ?? '');
    const panel = await harness.find('.panel');
    expect(panel.dir).toBe('rtl');
    expect(getComputedStyle(panel).direction).toBe('rtl');
    const icon = await harness.find('[part="source"] [part="icon"]');
    const name = await harness.find('[part="source"] .name');
    expect(icon.getBoundingClientRect().left).toBeGreaterThan(name.getBoundingClientRect().left);

    harness.widget.dir = 'ltr';
    await until(() => {
      expect(panel.hasAttribute('dir')).toBe(false);
    });
    expect(getComputedStyle(panel).direction).toBe('ltr');
  });

  test('keeps the direction of text from vendors and aligns it with other text', async () => {
    const harness = mountIn('ar');
    await becomes(harness, words['ar'] ?? '');
    const { direction, textAlign } = getComputedStyle(await harness.find('[part="source"] [part="name"]'));
    expect([direction, textAlign.replace('-webkit-', '')]).toEqual(['ltr', 'right']);
  });

  test('renders English left-to-right in a right-to-left page', async () => {
    const before = document.documentElement.dir;
    onTestFinished(() => {
      document.documentElement.dir = before;
    });
    document.documentElement.dir = 'rtl';
    const harness = mountIn('he');
    await harness.find('[data-id]');
    expect(getComputedStyle(await harness.find('.panel')).direction).toBe('ltr');
  });

  test.each(['light', 'dark'])('has no axe violations in Arabic in the %s theme', async theme => {
    const harness = mountIn('ar', {
      ...withMine(connector({ id: 'mine-1' })),
      [createRoute]: () => problem(504, 'vendor_timeout'),
    });
    harness.widget.setAttribute('theme', theme);
    document.body.style.background = theme === 'dark' ? '#0c0d10' : '#fff';
    await becomes(harness, words['ar'] ?? '');
    const check = async () => {
      for (const animation of harness.widget.shadowRoot?.getAnimations() ?? []) animation.cancel();
      const { violations } = await axe.run(harness.widget, {
        resultTypes: ['violations'],
        rules: { region: { enabled: false }, 'page-has-heading-one': { enabled: false } },
      });
      expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.failureSummary ?? ''}`)).toEqual([]);
    };
    await harness.find('[data-id]');
    await check();
    await openForm(harness);
    (await harness.find('.primary')).click();
    await harness.find('.field-error');
    await check();
  });
});

describe('formats', () => {
  const plurals: readonly (readonly [lang: string, count: number, sentence: string])[] = [
    ['en', 1, '1 source'],
    ['en', 12345, '12,345 sources'],
    ['de', 12345, '12.345 Quellen'],
    ['fr', 0, '0 source'],
    ['fr', 2, '2 sources'],
    ['pt', 1, '1 fonte'],
    ['pt', 2, '2 fontes'],
    ['ja', 3, '3件のデータソース'],
    ['ar', 0, 'لا توجد مصادر'],
    ['ar', 1, 'مصدر واحد'],
    ['ar', 2, 'مصدران'],
    ['ar', 3, `${(3).toLocaleString('ar')} مصادر`],
    ['ar', 11, `${(11).toLocaleString('ar')} مصدرًا`],
    ['ar', 100, `${(100).toLocaleString('ar')} مصدر`],
  ];
  test.each([
    ['de', 1, 'hour', 'Synchronisiert jede Stunde'],
    ['de', 30, 'minute', 'Synchronisiert alle 30 Minuten'],
    ['fr', 1, 'hour', 'Synchronisation toutes les heures'],
    ['fr', 2, 'day', 'Synchronisation tous les 2 jours'],
    ['es', 1, 'day', 'Sincroniza cada día'],
    ['pt', 6, 'hour', 'Sincroniza a cada 6 horas'],
    ['ja', 1, 'hour', '1時間ごとに同期します'],
    ['zh', 1, 'hour', '每小时同步一次'],
    ['ar', 2, 'hour', 'يزامن كل ساعتين'],
  ] as const)('names the sync interval in %s for %i %s', async (lang, count, unit, sentence) => {
    const { syncs } = await messagesOf(lang);
    expect(syncs(count, unit)).toBe(sentence);
  });

  test.each(plurals)('uses the correct %s plural for %i', async (lang, count, sentence) => {
    const { sourcesFound } = await messagesOf(lang);
    expect(sourcesFound(count)).toBe(sentence);
  });

  test.each([
    ['de', '02.10.2026'],
    ['en-GB', '2 Oct 2026'],
    ['en-US', 'Oct 2, 2026'],
    ['ja', '2026/10/02'],
  ])('formats dates for %s', async (lang, date) => {
    const harness = mountIn(lang, withMine(connector({ id: 'mine-1' })));
    (await harness.find('[data-id="mine-1"]')).click();
    await until(async () => {
      expect(await text(harness, '[part="lead"]')).toContain(date);
    });
  });

  test('prevents line breaks before French punctuation', async () => {
    const { disconnectTitle, noMatchTitle } = await messagesOf('fr');
    expect(disconnectTitle('X')).toBe('Déconnecter X\u00a0?');
    expect(noMatchTitle('X')).toBe('Aucune source ne correspond à «\u00a0X\u00a0»');
  });

  test('shows small limits without rounding', () => {
    expect(en.tooSmall(0.0005)).toBe('Enter 0.0005 or more');
  });

  test.each([...importable])('translates every message to %s', async lang => {
    const messages = await messagesOf(lang);
    // Some words are identical in English.
    const same = Object.entries(messages).filter(
      ([key, value]) => typeof value === 'string' && value === en[key as keyof typeof en],
    );
    expect(same.map(([key]) => key).filter(key => !['direction', 'optional', 'beta'].includes(key))).toEqual(
      [],
    );
  });
});

describe('custom messages', () => {
  test('replaces messages in every language with custom messages', async () => {
    const harness = mountWidget({}, (widget, service) => {
      widget.messages = { catalogTitle: 'Plug in your tools', sourcesFound: count => `${count} tools` };
      useTokenUrl(widget, service);
    });
    await becomes(harness, 'Plug in your tools');
    await until(() => {
      expect(harness.announcements).toContain('4 tools');
    });
    harness.widget.lang = 'de';
    await expectText(harness, '[part="lead"]', 'Wählen Sie, wo Ihre Daten liegen.');
    expect(await title(harness)).toBe('Plug in your tools');
    harness.widget.messages = null;
    await becomes(harness, 'Quelle verbinden');
  });

  test('ignores and logs invalid custom messages', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    const harness = mountWidget({}, (widget, service) => {
      // A page written in JavaScript can pass such values.
      Object.assign(widget, { messages: { catalogTitel: 'x', sourcesFound: 'many', catalogLead: 'Hello' } });
      useTokenUrl(widget, service);
    });
    await harness.find('[data-id]');
    await expectText(harness, '[part="lead"]', 'Hello');
    expect(error.mock.calls.flat()).toEqual([
      '<connector-auth>: unknown message "catalogTitel"; message "sourcesFound" must be a function',
    ]);
  });

  test('falls back to English for messages that a custom language omits', async () => {
    const harness = mountIn('eo-001');
    await becomes(harness, 'Connect a source');
    ConnectorAuthElement.registerLanguage({ language: 'eo', catalogTitle: 'Konekti fonton' });
    await becomes(harness, 'Konekti fonton');
    await expectText(harness, '[part="lead"]', en.catalogLead);
  });

  test('rejects invalid tags and messages in registerLanguage', () => {
    expect(() => {
      ConnectorAuthElement.registerLanguage({ language: 'no such tag' });
    }).toThrow(RangeError);
    expect(() => {
      ConnectorAuthElement.registerLanguage({ language: 'eo', back: 3 } as never);
    }).toThrow('message "back" must be a string');
  });
});
