import type { Kind } from '@connector-auth/connectors/kind';
import { html } from '../../../shared/http/html.ts';
import { heading } from '../parts.ts';
import type { DocsPage } from '../site.ts';
import { kindPath } from './kind.ts';

const guides = [
  ['Get started', '/docs/getting-started', 'Run the service, show the widget and read the first records.'],
  ['Tokens', '/docs/tokens', 'Which token to use where, what it may do, and how to revoke it.'],
  ['OAuth', '/docs/oauth', 'Connect a source with a consent, from the first request to the connector.'],
  [
    'Accounts and access',
    '/docs/accounts',
    'Let users choose accounts, and promise that nothing is changed.',
  ],
  ['Execute', '/docs/execute', 'One endpoint for all actions of all sources.'],
  ['Search', '/docs/search', 'Filter and sort the records that the service has synced.'],
  ['Agents', '/docs/agents', 'Let an MCP client use the sources of a customer.'],
  ['Errors', '/docs/errors', 'Every error code, and what to do about it.'],
] as const;

/** Returns the start page. */
export function homePage(kinds: readonly Kind[]): DocsPage {
  return {
    path: '/docs',
    title: 'Documentation',
    group: '',
    sections: [],
    terms: [],
    render: () => html`
      <p class="lead">
        Connect your customers' data sources, and read them through one API. Everything here describes this
        running service: samples have its address and run as they are.
      </p>
      <ul class="cards">
        ${guides.map(
          ([title, path, text]) =>
            html`<li>
              <a href="${path}">${title}</a>
              <p>${text}</p>
            </li>`,
        )}
      </ul>
      ${heading(2, 'sources', 'Sources')}
      <ul class="cards">
        ${kinds.map(
          kind =>
            html`<li>
              <a href="${kindPath(kind)}"
                ><img src="/icons/${kind.key}.svg" alt="" width="32" height="32" /> ${kind.name}</a
              >
              <p>${kind.description}</p>
            </li>`,
        )}
      </ul>
      ${heading(2, 'http-api', 'HTTP API')}
      <p>
        The <a href="/docs/http">HTTP API</a> has every endpoint with its parameters, errors and a request for
        curl. The <a href="/openapi.json">OpenAPI document</a> is for client generators.
      </p>
    `,
  };
}
