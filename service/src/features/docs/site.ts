import type { Html } from '../../shared/http/html.ts';

/** A page of the documentation. Everything but its content is known without rendering it. */
export interface DocsPage {
  /** The path, such as `/docs/errors`. */
  readonly path: string;
  readonly title: string;
  /** The group in the navigation; empty for the start page. */
  readonly group: string;
  /** The icon's path, if the page is about a source. */
  readonly icon?: string;
  /** The sections, which the navigation and the search list. */
  readonly sections: readonly Section[];
  /** What the search finds besides the page and its sections. */
  readonly terms: readonly Term[];
  readonly render: () => Html;
}

export interface Section {
  readonly id: string;
  readonly title: string;
}

/** Something with a name of its own, such as a field or an error code. */
export interface Term {
  readonly id: string;
  readonly name: string;
  readonly type: 'endpoint' | 'action' | 'param' | 'field' | 'error code';
}

/** A result of the search in the order of its members: type, name, page, address. */
export type IndexEntry = readonly [type: string, name: string, page: string, url: string];

/** Lists everything that the search finds. */
export function searchIndex(pages: readonly DocsPage[]): IndexEntry[] {
  return pages.flatMap(({ path, title, group, sections, terms }): IndexEntry[] => {
    const page = group === '' || group === title ? title : `${group} › ${title}`;
    return [
      ['page', title, group, path],
      ...sections.map(({ id, title }): IndexEntry => ['section', title, page, `${path}#${id}`]),
      ...terms.map(({ id, name, type }): IndexEntry => [type, name, page, `${path}#${id}`]),
    ];
  });
}
