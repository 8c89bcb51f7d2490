import { endpoints, problems, type Endpoint } from '@connector-auth/api';
import { html, prose, type Html } from '../http/html.ts';
import { table } from './page.ts';

/** Every endpoint of the contract with the tokens it takes. */
export function httpPage(): Html {
  const all: Endpoint[] = Object.values(endpoints);
  const tags = [...new Set(all.map(({ tag }) => tag))];
  return html`
    <p class="lead">
      JSON in, JSON out. <code>Authorization: Bearer …</code> on everything but the first. Schemas:
      <a href="/openapi.json">OpenAPI 3.1</a>.
    </p>
    ${tags.map(tag =>
      table(
        tag,
        ['Endpoint', 'Does', 'Tokens'],
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

/** Every error code. */
export function errorsPage(): Html {
  return html`
    <p class="lead">
      Errors are <code>application/problem+json</code> (RFC 9457). <code>code</code> is stable;
      <code>detail</code> is for people; <code>errors</code> lists each faulty place by its path;
      <code>vendor</code> holds what the vendor said.
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
