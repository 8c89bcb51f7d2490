import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import http from 'highlight.js/lib/languages/http';
import json from 'highlight.js/lib/languages/json';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import { Html } from '../../shared/http/html.ts';

/** The languages of samples by the name that a fenced block in Markdown has. */
const languages = {
  sh: { name: 'bash', title: 'curl', definition: bash },
  ts: { name: 'typescript', title: 'TypeScript', definition: typescript },
  json: { name: 'json', title: 'JSON', definition: json },
  html: { name: 'xml', title: 'HTML', definition: xml },
  http: { name: 'http', title: 'HTTP', definition: http },
  css: { name: 'css', title: 'CSS', definition: css },
} as const;
type Language = keyof typeof languages;

export interface Sample {
  readonly language: Language;
  readonly text: string;
}

/** Returns whether a fenced block has a language that samples can have. */
export function isLanguage(name: string): name is Language {
  return Object.hasOwn(languages, name);
}

/** Returns the name of a sample's language. */
export function titleOf({ language }: Sample): string {
  return languages[language].title;
}

let highlighter: typeof hljs | null = null;

/** Colours a sample with classes. */
export function highlight({ text, language }: Sample): Html {
  highlighter ??= createHighlighter();
  // highlight.js escapes the text that it marks up.
  return new Html(highlighter.highlight(text, { language: languages[language].name }).value);
}

function createHighlighter(): typeof hljs {
  const created = hljs.newInstance();
  for (const { name, definition } of Object.values(languages)) created.registerLanguage(name, definition);
  return created;
}
