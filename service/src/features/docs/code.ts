import { stringifyJson } from '@connector-auth/api';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import json from 'highlight.js/lib/languages/json';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import { Html, html } from '../../shared/http/html.ts';

/** The languages of samples by the name that a fenced block in Markdown has. */
const languages = {
  sh: { name: 'bash', title: 'curl', definition: bash },
  ts: { name: 'typescript', title: 'TypeScript', definition: typescript },
  json: { name: 'json', title: 'JSON', definition: json },
  html: { name: 'xml', title: 'HTML', definition: xml },
  http: { name: 'http', title: 'HTTP', definition: http },
} as const;
export type Language = keyof typeof languages;

export interface Sample {
  readonly language: Language;
  readonly text: string;
}

/** Renders the same sample in one or more languages. With scripts, the page shows one language at a time. */
export function samples(title: string, alternatives: readonly Sample[]): Html {
  return html`<div class="samples" role="group" aria-label="${title}">
    ${alternatives.map(sample => codeBlock(alternatives.length > 1 ? languages[sample.language].title : title, sample))}
  </div>`;
}

/** Renders a JSON value, such as a response. */
export function jsonSample(title: string, value: unknown): Html {
  return samples(title, [{ language: 'json', text: stringifyJson(value, 2) }]);
}

/** Returns whether a fenced block has a language that samples can have. */
export function isLanguage(name: string): name is Language {
  return Object.hasOwn(languages, name);
}

function codeBlock(title: string, { language, text }: Sample): Html {
  return html`<figure data-language="${language}">
    <figcaption>${title}</figcaption>
    <pre tabindex="0"><code>${highlight(text, language)}</code></pre>
  </figure>`;
}

let highlighter: typeof hljs | null = null;

function highlight(text: string, language: Language): Html {
  highlighter ??= createHighlighter();
  // highlight.js escapes the text that it marks up.
  return new Html(highlighter.highlight(text, { language: languages[language].name }).value);
}

function createHighlighter(): typeof hljs {
  const created = hljs.newInstance();
  for (const { name, definition } of Object.values(languages)) created.registerLanguage(name, definition);
  return created;
}
