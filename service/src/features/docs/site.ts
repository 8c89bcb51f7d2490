import type { Content } from './content.ts';

/** A page of the documentation. Everything but its content is known without rendering it. */
export interface DocsPage {
  /** The path, such as `/docs/errors`. */
  readonly path: string;
  readonly title: string;
  /** What the page is about, in one sentence. */
  readonly summary: string;
  /** The group in the navigation; empty for the start page. */
  readonly group: string;
  /** The page above this one, which the navigation shows instead. */
  readonly parent?: string;
  /** The icon's path, if the page is about a source. */
  readonly icon?: string;
  /** The sections, which the navigation and the search list. One without an id has the words before the first. */
  readonly sections: readonly Section[];
  /** What the search finds besides the page and its sections. */
  readonly terms: readonly Term[];
  /** The name of a script of its own, in `/docs/assets/`. */
  readonly script?: string;
  readonly render: () => Content;
}

export interface Section {
  readonly id: string;
  readonly title: string;
  /** The words in the section, which the search finds too. */
  readonly words?: string;
}

/** Something with a name of its own, such as a field. */
export interface Term {
  readonly id: string;
  readonly name: string;
  readonly type: 'endpoint' | 'action' | 'param' | 'field';
}

/** A result of the search in the order of its members: type, name, page, address, words in its text. */
export type IndexEntry = readonly [type: string, name: string, page: string, url: string, words: string];

/** Lists everything that the search finds. */
export function searchIndex(pages: readonly DocsPage[]): IndexEntry[] {
  return pages.flatMap(({ path, title, summary, group, parent, sections, terms }): IndexEntry[] => {
    const page = group === '' || group === title ? title : `${group} › ${title}`;
    const type = parent !== undefined ? 'error code' : group === 'Guides' ? 'guide' : 'page';
    const before = sections.find(({ id }) => id === '')?.words ?? '';
    return [
      [type, title, group, path, `${summary.toLowerCase()} ${before}`],
      ...sections
        .filter(({ id }) => id !== '' && parent === undefined)
        .map(({ id, title, words = '' }): IndexEntry => ['section', title, page, `${path}#${id}`, words]),
      ...terms.map(({ id, name, type }): IndexEntry => [type, name, page, `${path}#${id}`, '']),
    ];
  });
}

/** Returns a page as Markdown, with links to other pages as Markdown. */
export function markdownOf(page: DocsPage, serviceUrl: string): string {
  const text = `# ${page.title}\n\n${page.render().markdown}\n`;
  return text
    .replaceAll(/\]\(([\w-]+)\.md(?=[#)])/g, '](/docs/$1')
    .replaceAll(/\]\((\/docs[\w/.-]*)/g, (_, path: string) => `](${serviceUrl}${path}.md`)
    .replaceAll('](/', `](${serviceUrl}/`);
}

/** Returns the list of all pages for language models, as `llms.txt` proposes: https://llmstxt.org. */
export function listForModels(pages: readonly DocsPage[], serviceUrl: string): string {
  const [home, ...others] = pages;
  const groups = Map.groupBy(others, ({ group, parent }) => (parent === undefined ? group : 'Optional'));
  const lists = [...groups].map(([group, members]) => {
    const links = members.map(
      ({ title, path, summary }) => `- [${title}](${serviceUrl}${path}.md): ${summary}`,
    );
    return `## ${group}\n\n${links.join('\n')}\n`;
  });
  return `# Connector Auth\n\n> ${home?.summary ?? ''}\n\n${lists.join('\n')}`;
}
