import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { snippetsOf, type Choice } from './snippets.ts';

const themes = readFileSync(new URL('../themes.css', import.meta.url), 'utf8');
const plain: Choice = {
  theme: null,
  scheme: null,
  language: null,
  width: 704,
  isModal: false,
  isStill: false,
};

test('writes nothing but the token URL and the width if nothing else is chosen', () => {
  const { html, react, css } = snippetsOf(plain, themes);
  expect(html).toContain('<connector-auth\n  token-url="/connector-auth/widget-token"\n></connector-auth>');
  expect(react).toContain('<ConnectorAuth\n      tokenUrl="/connector-auth/widget-token"\n    />');
  expect(css).toBe('connector-auth {\n  max-inline-size: 44rem;\n}');
});

test('writes language, scheme, motion and dialog in HTML and in React', () => {
  const choice = { ...plain, scheme: 'dark', language: 'ar', isModal: true, isStill: true } as const;
  const { html, react } = snippetsOf(choice, themes);
  expect(html).toContain('lang="ar"\n  theme="dark"\n  motion="reduce"\n  modal\n');
  expect(html).toContain('.open()');
  expect(react).toContain('lang="ar"\n        theme="dark"\n        motion="reduce"\n        modal\n');
  expect(react).toContain('useRef<ConnectorAuthElement>');
});

test('writes the rules of the chosen theme only, for every widget of a page', () => {
  const { css } = snippetsOf({ ...plain, theme: 'midnight' }, themes);
  expect(css).toContain('--connector-auth-accent: #a78bfa;');
  expect(css).toContain('connector-auth::part(panel) {');
  expect(css).not.toContain('data-theme');
  expect(css).not.toContain('Charter');
});
