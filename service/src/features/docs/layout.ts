import { html, type Html } from '../../shared/http/html.ts';
import type { DocsPage } from './site.ts';

/** Renders a page with its navigation, and the search that the script opens. */
export function layout(page: DocsPage, pages: readonly DocsPage[]): string {
  const title = page.group === '' || page.title === page.group ? page.title : `${page.title} · ${page.group}`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content="${page.summary}" />
        <title>${title} · Connector Auth</title>
        <link rel="alternate" href="${page.path}.md" type="text/markdown" />
        <link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/docs/assets/style.css" />
        <script src="/docs/assets/docs.js"></script>
        ${page.script === undefined ? '' : html`<script type="module" src="/docs/assets/${page.script}"></script>`}
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        ${topBar}
        <div class="columns">
          <nav id="navigation" popover aria-label="Documentation">${navigation(page, pages)}</nav>
          <main id="content" tabindex="-1">
            <p class="above">
              ${groupOf(page)}
              <a class="markdown" href="${page.path}.md" title="The text of this page, for coding agents"
                >View as Markdown</a
              >
            </p>
            <h1>
              ${page.icon === undefined ? '' : html`<img src="${page.icon}" alt="" width="36" height="36" />`}
              ${page.title}
            </h1>
            ${page.render().html} ${neighbours(page, pages)}
          </main>
        </div>
        ${searchDialog}
        <p id="announcer" class="visually-hidden" role="status"></p>
      </body>
    </html>`.toString();
}

function groupOf({ group, title, parent, icon }: DocsPage): Html {
  if (group === title && icon !== undefined) return html`<a href="/docs#sources">Sources</a>`;
  if (group === '' || group === title) return html``;
  return parent === undefined ? html`<span>${group}</span>` : html`<a href="${parent}">${group}</a>`;
}

const topBar = html`<header class="bar">
  <a class="brand" href="/docs"
    ><img src="/docs/assets/icon.svg" alt="" width="24" height="24" /> Connector Auth</a
  >
  <button type="button" class="find" data-action="search" hidden>
    <span>Search</span> <kbd aria-hidden="true">Ctrl K</kbd>
  </button>
  <a class="wide" href="/openapi.json">OpenAPI</a>
  <button type="button" data-action="theme" hidden>
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.5" />
      <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
    </svg>
  </button>
  <button type="button" class="menu" popovertarget="navigation">Menu</button>
</header>`;

const searchDialog = html`<dialog id="search-dialog" aria-label="Search the documentation">
  <input
    type="search"
    role="combobox"
    aria-label="Search the documentation"
    aria-expanded="false"
    aria-controls="search-results"
    aria-autocomplete="list"
    autocomplete="off"
    spellcheck="false"
    placeholder="Search guides, sources, endpoints, errors…"
  />
  <ul id="search-results" role="listbox" aria-label="Results"></ul>
  <p class="hint" aria-hidden="true">
    <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>Esc</kbd> close
  </p>
</dialog>`;

/** Renders links to all pages. Of the sources, only the current one shows its entities. */
function navigation(current: DocsPage, pages: readonly DocsPage[]): Html {
  const listed = pages.filter(({ group, parent }) => group !== '' && parent === undefined);
  const groups = [...Map.groupBy(listed, ({ group }) => group)];
  return html`${groups.map(([group, members]) => {
    const icon = members[0]?.icon;
    const links = html`<ul>
      ${members.map(page => navigationItem(page, current))}
    </ul>`;
    if (icon === undefined)
      return html`<p class="group" id="group-${slugOf(group)}">${group}</p>
        ${links}`;
    return html`<details ${current.group === group ? html`open` : ''}>
      <summary><img src="${icon}" alt="" width="18" height="18" /> ${group}</summary>
      ${links}
    </details>`;
  })}`;
}

function navigationItem(page: DocsPage, current: DocsPage): Html {
  const { path, title, group } = page;
  const name = title === group ? 'Overview' : title;
  const isAbove = path === current.parent;
  if (page !== current) {
    return html`<li><a href="${path}" ${isAbove ? html`aria-current="true"` : ''}>${name}</a></li>`;
  }
  const sections = page.sections.filter(({ id }) => id !== '');
  return html`<li>
    <a href="${path}" aria-current="page">${name}</a>
    ${
      sections.length < 2
        ? ''
        : html`<ul>
            ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
          </ul>`
    }
  </li>`;
}

function neighbours(page: DocsPage, pages: readonly DocsPage[]): Html {
  if (page.parent !== undefined) return html``;
  const index = pages.indexOf(page);
  const [previous, next] = [
    pages[index - 1],
    pages.slice(index + 1).find(({ parent }) => parent === undefined),
  ];
  return html`<nav class="neighbours" aria-label="Previous and next page">
    ${previous ? html`<a rel="prev" href="${previous.path}"><small>Previous</small> ${nameOf(previous)}</a>` : ''}
    ${next ? html`<a rel="next" href="${next.path}"><small>Next</small> ${nameOf(next)}</a>` : ''}
  </nav>`;
}

function nameOf({ group, title }: DocsPage): string {
  return group === '' || group === 'Guides' || group === title ? title : `${group}: ${title}`;
}

function slugOf(text: string): string {
  return text.toLowerCase().replaceAll(/\W+/g, '-');
}
