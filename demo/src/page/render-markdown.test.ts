import { nothing } from 'lit';
import { expect, test } from 'vitest';
import { renderMarkdown } from './render-markdown.ts';

/** Writes a template as HTML, with text in brackets. */
function write(value: unknown): string {
  if (value === nothing) return '';
  if (Array.isArray(value)) return value.map(write).join('');
  if (typeof value !== 'object' || value === null) return `[${String(value)}]`;
  // Templates have these members.
  const { strings, values } = value as { strings: readonly string[]; values: readonly unknown[] };
  return strings
    .map((part, index) => part + (index < values.length ? write(values[index]) : ''))
    .join('')
    .replaceAll(/\s*\n\s*/g, '');
}

const render = (markdown: string) => write(renderMarkdown(markdown));

test('renders text, lists and tables', () => {
  expect(render('**Brand** spent `most`')).toBe(
    '<p dir="auto"><strong>[Brand]</strong>[ spent ]<code>[most]</code></p>',
  );
  expect(render('- One\n- Two')).toBe('<ul><li dir="auto">[One]</li><li dir="auto">[Two]</li></ul>');
  const table = render('| Name | Spend |\n| --- | --: |\n| A | 1 |');
  expect(table).toContain('<th scope="col" class=[number]>[Spend]</th>');
  expect(table).toContain('<td class= dir="auto">[A]</td>');
});

test('links only to pages of Fieldbook', () => {
  expect(render('[Connect](#connections/gong)')).toContain('<a href=[#connections/gong]>[Connect]</a>');
  for (const target of ['https://evil.example/?data=1', 'javascript:alert(1)', '//evil.example', '/logout']) {
    expect(render(`[Connect](${target})`)).toBe(`<p dir="auto">[[Connect](${target})]</p>`);
  }
  expect(render('https://evil.example')).toBe('<p dir="auto">[https://evil.example]</p>');
});

test('shows pictures and HTML as text', () => {
  for (const markdown of ['![x](https://evil.example/x.png)', '<img src=x onerror=alert(1)>', 'a <b>b</b>']) {
    expect(render(markdown)).not.toMatch(/(?<!\[)<(?:img|b)\b/);
    expect(render(markdown).replaceAll('][', '')).toContain(`[${markdown}]`);
  }
});

test('shows escaped text as it is', () => {
  expect(render(String.raw`\[x\]\(\#y\) \*a\* \| \<b\>`).replaceAll('][', '')).toBe(
    '<p dir="auto">[[x](#y) *a* | <b>]</p>',
  );
});
