import { readFileSync } from 'node:fs';
import { fromMarkdown, plain, slugOf, type Content } from './content.ts';
import type { DocsPage, Section } from './site.ts';

/** What guides take from the code: text in place of `{{name}}`, and blocks in place of `<!-- name -->`. */
export interface Facts {
  readonly values: Readonly<Record<string, string | number>>;
  readonly blocks: Readonly<Record<string, Content>>;
}

/** The guides in the order of the navigation, each a file in `guides/`, with what a reader can do with it. */
const guides = [
  ['getting-started', 'Run the service, show the widget and read the first records.'],
  ['tokens', 'Which token to use where, what it may do, and how to revoke it.'],
  ['oauth', 'Connect a source with a consent, from the first request to the connector.'],
  ['accounts', 'Let users choose accounts, and promise that nothing is changed.'],
  ['appearance', 'Choose colors, corners and font on a live widget, and see each of its states.'],
  ['execute', 'One endpoint for all actions of all sources.'],
  ['search', 'Filter and sort the records that the service has synced.'],
  ['changes', 'Follow the changes of records, so that your own copy stays current.'],
  ['webhooks', 'Learn when customers connect, connectors break and syncs finish.'],
  ['agents', 'Let an MCP client use the sources of a customer.'],
  ['limits', 'Stay below the rate limits of the service and of each vendor, and retry safely.'],
  ['errors', 'What each error code means, why it occurs and what to do about it.'],
  ['your-own-source', 'Declare a source for an API that is not built in.'],
  ['bring-existing-tokens', 'Move customers who are already connected elsewhere.'],
] as const;

/**
 * Returns the pages of the guides.
 * @throws Error if a guide names an unknown fact or block.
 */
export function guidePages({ values, blocks }: Facts): DocsPage[] {
  return guides.map(([name, summary]) => {
    const file = readFileSync(new URL(`guides/${name}.md`, import.meta.url), 'utf8');
    const [heading = '', ...rest] = fillIn(file, values).split('\n');
    const text = rest.join('\n');
    return {
      path: `/docs/${name}`,
      title: heading.replace('# ', ''),
      summary,
      group: 'Guides',
      sections: sectionsOf(text),
      terms: [],
      ...(name === 'appearance' ? { script: 'appearance.js' } : {}),
      render: () => fromMarkdown(text, blocks),
    };
  });
}

function fillIn(markdown: string, values: Facts['values']): string {
  return markdown.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The guide names an unknown fact: ${placeholder}`);
    return String(value);
  });
}

/** Returns the sections with the words in them. The words before the first one belong to the page. */
function sectionsOf(markdown: string): Section[] {
  const withoutCode = markdown.replaceAll(/^```.*?^```$/gms, '');
  return withoutCode.split(/^## /m).map((section, index) => {
    const [title = '', ...rest] = index === 0 ? ['', section] : section.split('\n');
    return { id: slugOf(title), title: plain(title), words: wordsOf(rest.join('\n')) };
  });
}

/** Returns the different words of a text. */
function wordsOf(markdown: string): string {
  const words = markdown.toLowerCase().match(/[a-z][a-z0-9]+/g) ?? [];
  return [...new Set(words)].join(' ');
}
