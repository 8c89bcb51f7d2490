import type { Kind } from '@connector-auth/connectors/kind';
import { html } from '../../../shared/http/html.ts';
import { md, within } from '../content.ts';
import { cards, heading, lead, type Card } from '../parts.ts';
import type { DocsPage } from '../site.ts';
import { kindPath, supportLevels } from './kind.ts';

/** What readers come to do, with the page that says how. */
const tasks: readonly Card[] = [
  {
    title: 'Let customers sign in',
    path: '/docs/oauth',
    text: 'OAuth, from the first request to the connector.',
  },
  {
    title: 'Match your brand',
    path: '/docs/appearance',
    text: 'Colors, corners and font, on a live widget.',
  },
  {
    title: 'Let customers choose accounts',
    path: '/docs/accounts',
    text: 'And promise that nothing is changed.',
  },
  { title: 'Read data', path: '/docs/execute', text: 'One endpoint for all actions of all sources.' },
  { title: 'Search data', path: '/docs/search', text: 'Filter and sort what the service has synced.' },
  { title: 'Give it to an agent', path: '/docs/agents', text: 'The sources of a customer over MCP.' },
  { title: 'Stay within limits', path: '/docs/limits', text: 'Rate limits, and how to retry safely.' },
  { title: 'Handle errors', path: '/docs/errors', text: 'What each code means and what to do about it.' },
  { title: 'Secure access', path: '/docs/tokens', text: 'Which token to use where, and how to revoke it.' },
  {
    title: 'Move existing customers',
    path: '/docs/bring-existing-tokens',
    text: 'Without asking them to reconnect.',
  },
];

/** Returns the start page. */
export function homePage(kinds: readonly Kind[]): DocsPage {
  return {
    path: '/docs',
    title: 'Documentation',
    summary: "Connect your customers' data sources, and read them through one API.",
    group: '',
    sections: [],
    terms: [],
    render: () => md`
      ${lead("Connect your customers' data sources, and read them through one API. Samples here have this service's address and run as they are.")}

      ${within(
        md`
          ${heading(2, 'first-step', 'Start here')}

          Show the widget on your page, connect a source, and read its data. With the simulated vendors, you need no
          account anywhere.

          [Get started](/docs/getting-started)
        `,
        content => html`<section class="first" aria-labelledby="first-step">${content}</section>`,
      )}

      ${heading(2, 'tasks', 'What do you want to do?')}

      ${cards(tasks)}

      ${heading(2, 'sources', 'Sources')}

      ${cards(
        kinds.map(kind => ({
          title: kind.name,
          path: kindPath(kind),
          text: kind.description,
          icon: `/icons/${kind.key}.svg`,
        })),
      )}

      ${Object.values(supportLevels).map(text => md`${text}`)}

      ${heading(2, 'http-api', 'Reference')}

      The [HTTP API](/docs/http) has every endpoint with its parameters, errors and a request for
      curl. The [OpenAPI document](/openapi.json) is for client generators. For language models, every page is also
      Markdown: add \`.md\` to its address, or read [llms.txt](/llms.txt).
    `,
  };
}
