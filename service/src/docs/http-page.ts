import { endpoints, problems, type Endpoint } from '@connector-auth/api';
import { html, prose, type Html } from '../http/html.ts';
import { table } from './page.ts';

/** Renders every endpoint in the contract with the token types that it accepts. */
export function httpPage(): Html {
  const all: Endpoint[] = Object.values(endpoints);
  const tags = [...new Set(all.map(({ tag }) => tag))];
  return html`
    <p class="lead">
      Requests and responses are JSON. Send a token of one of the listed types as
      <code>Authorization: Bearer …</code>. The <a href="/openapi.json">OpenAPI document</a> contains all
      schemas.
    </p>
    ${tags.map(tag =>
      table(
        tag,
        ['Endpoint', 'Description', 'Tokens'],
        all
          .filter(endpoint => endpoint.tag === tag)
          .map(({ method, path, summary, callers }) => [
            html`<code>${method} ${path}</code>`,
            prose(summary),
            callers.length === 0 ? 'none' : callers.join(', '),
          ]),
      ),
    )}
  `;
}

/** Renders every error code. */
export function errorsPage(): Html {
  return html`
    <p class="lead">
      Errors are <code>application/problem+json</code> (RFC 9457). Branch on <code>code</code>, which is
      stable. <code>detail</code> is a message for people, <code>errors</code> lists every invalid field with
      its path, and <code>vendor</code> contains what the vendor reported.
    </p>
    ${table(
      'Error codes',
      ['Code', 'Status', 'Meaning'],
      Object.entries(problems).map(([code, { status, title }]) => [
        html`<code>${code}</code>`,
        String(status),
        title,
      ]),
    )}
  `;
}
