/** The settings that the playground changes. */
export interface Choice {
  /** The name of a theme in themes.css, or null for the widget's own look. */
  readonly theme: string | null;
  /** The value of the `theme` attribute; null follows the page. */
  readonly scheme: 'light' | 'dark' | null;
  /** A language tag, or null for the page's language. */
  readonly language: string | null;
  /** In CSS pixels. */
  readonly width: number;
  readonly isModal: boolean;
  /** Whether animations are stopped for everyone. Otherwise, each user's own setting decides. */
  readonly isStill: boolean;
}

export interface Snippets {
  readonly html: string;
  readonly react: string;
  readonly css: string;
}

const tokenUrl = '/connector-auth/widget-token';

/** Writes the code that an integrator needs for the choice. */
export function snippetsOf(choice: Choice, themes: string): Snippets {
  return { html: htmlOf(choice), react: reactOf(choice), css: cssOf(choice, themes) };
}

function htmlOf({ isModal, ...choice }: Choice): string {
  const attributes = [`token-url="${tokenUrl}"`, ...sharedAttributes(choice), ...(isModal ? ['modal'] : [])];
  const button = `<button onclick="document.querySelector('connector-auth').open()">Connect a source</button>\n`;
  return `<script src="/connector-auth.js" defer></script>
<link rel="stylesheet" href="/connections.css" />

${isModal ? button : ''}<connector-auth
  ${attributes.join('\n  ')}
></connector-auth>`;
}

function reactOf({ isModal, ...choice }: Choice): string {
  const properties = [`tokenUrl="${tokenUrl}"`, ...sharedAttributes(choice)];
  if (!isModal) {
    return `import { ConnectorAuth } from '@connector-auth/widget/react';
import './connections.css';

export function Connections() {
  return (
    <ConnectorAuth
      ${properties.join('\n      ')}
    />
  );
}`;
  }
  return `import { useRef } from 'react';
import type { ConnectorAuthElement } from '@connector-auth/widget';
import { ConnectorAuth } from '@connector-auth/widget/react';
import './connections.css';

export function Connections() {
  const widget = useRef<ConnectorAuthElement>(null);
  return (
    <>
      <button onClick={() => widget.current?.open()}>Connect a source</button>
      <ConnectorAuth
        ref={widget}
        ${[...properties, 'modal'].join('\n        ')}
      />
    </>
  );
}`;
}

/** The attributes that are the same in HTML and in React. */
function sharedAttributes({
  language,
  scheme,
  isStill,
}: Pick<Choice, 'language' | 'scheme' | 'isStill'>): readonly string[] {
  return [
    ...(language === null ? [] : [`lang="${language}"`]),
    ...(scheme === null ? [] : [`theme="${scheme}"`]),
    ...(isStill ? ['motion="reduce"'] : []),
  ];
}

function cssOf({ theme, width, isModal }: Choice, themes: string): string {
  const rules = theme === null ? [] : rulesOf(theme, themes);
  const size = isModal ? [] : [`connector-auth {\n  max-inline-size: ${width / 16}rem;\n}`];
  return [...size, ...rules].join('\n\n') || '/* The widget needs no CSS of yours. */';
}

/** Returns the rules of a theme for every widget on a page. */
function rulesOf(theme: string, themes: string): readonly string[] {
  const selector = `connector-auth[data-theme='${theme}']`;
  return [...themes.matchAll(/^connector-auth\[[^{]*\{[^}]*\}/gm)]
    .map(([rule]) => rule)
    .filter(rule => rule.startsWith(selector))
    .map(rule => rule.replaceAll(selector, 'connector-auth'));
}
