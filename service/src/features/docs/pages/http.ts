import { endpoints, type Endpoint, type EndpointName } from '@connector-auth/api';
import { endpointExamples } from '@connector-auth/api/examples';
import { describeFields } from '@connector-auth/connectors/kind';
import { html, prose, type Html } from '../../../shared/http/html.ts';
import { curlExample } from '../calls.ts';
import { jsonSample, samples } from '../code.ts';
import { besideSamples, fieldId, fieldList, heading } from '../parts.ts';
import type { DocsPage, Term } from '../site.ts';

const httpGroup = 'HTTP API';

type NamedEndpoint = readonly [EndpointName, Endpoint];

/** Returns the overview of all endpoints and a page for each group of them. */
export function httpPages(
  serviceUrl: string,
  codesOf: (endpoint: Endpoint) => readonly string[],
): DocsPage[] {
  // The keys of the contract are its names.
  const all = Object.entries(endpoints) as unknown as NamedEndpoint[];
  const groups = [...Map.groupBy(all, ([, { tag }]) => tag)];
  return [overview(groups), ...groups.map(([tag, group]) => groupPage(tag, group, { serviceUrl, codesOf }))];
}

function overview(groups: readonly (readonly [string, readonly NamedEndpoint[]])[]): DocsPage {
  return {
    path: '/docs/http',
    title: 'Overview',
    group: httpGroup,
    sections: groups.map(([tag]) => ({ id: slugOf(tag), title: tag })),
    terms: [],
    render: () => html`
      <p class="lead">
        Requests and responses are JSON. Send a <a href="/docs/tokens">token</a> as
        <code>Authorization: Bearer …</code>.
      </p>
      <p>
        Vendor ids are JSON integers of up to 19 digits: use a parser that does not round them. Unknown
        members in a request are errors; responses can get new members. The
        <a href="/openapi.json">OpenAPI document</a> contains all schemas, for client generators.
      </p>
      ${groups.map(
        ([tag, group]) =>
          html`${heading(2, slugOf(tag), tag)}
            <ul class="fields">
              ${group.map(
                ([name, { method, path, summary, callers }]) =>
                  html`<li>
                    <a class="endpoint" href="${tagPath(tag)}#${name}"
                      >${methodBadge(method)} <code>${path}</code></a
                    >
                    <p>
                      ${prose(summary)}.
                      <span class="type"
                        >${callers.length === 0 ? 'No token' : `${callers.join(', ')} token`}</span
                      >
                    </p>
                  </li>`,
              )}
            </ul>`,
      )}
    `,
  };
}

interface Sources {
  readonly serviceUrl: string;
  readonly codesOf: (endpoint: Endpoint) => readonly string[];
}

function groupPage(tag: string, group: readonly NamedEndpoint[], sources: Sources): DocsPage {
  return {
    path: tagPath(tag),
    title: tag,
    group: httpGroup,
    sections: group.map(([name, { summary }]) => ({ id: name, title: titleOf(summary) })),
    terms: group.flatMap(([name, endpoint]): Term[] => [
      { type: 'endpoint', id: name, name: `${endpoint.method} ${endpoint.path}` },
      { type: 'endpoint', id: name, name },
      ...inputsOf(endpoint).flatMap(({ fields }) =>
        fields.map(({ path }): Term => ({ type: 'param', id: fieldId(name, path), name: path })),
      ),
    ]),
    render: () => html`${group.map(endpoint => endpointSection(endpoint, sources))}`,
  };
}

function endpointSection([name, endpoint]: NamedEndpoint, { serviceUrl, codesOf }: Sources): Html {
  const { method, path, summary, callers, response, status, idempotencyKey } = endpoint;
  const { response: sample } = endpointExamples[name];
  const outputs = response === null ? [] : describeFields(response, 'output');
  const codes = codesOf(endpoint);
  const text = html`
    ${heading(2, name, titleOf(summary))}
    <p class="endpoint">${methodBadge(method)} <code>${path}</code></p>
    <p>
      ${prose(summary)}.
      ${
        callers.length === 0
          ? 'Needs no token.'
          : html`Accepts ${listOf(callers.map(caller => html`<a href="/docs/tokens">${caller}</a>`))} tokens.`
      }
      ${
        idempotencyKey === true
          ? html`With an <code>Idempotency-Key</code> header, a repeated request returns the first response
              for 24 hours.`
          : ''
      }
    </p>
    ${inputsOf(endpoint).map(
      ({ title, fields }) =>
        html`<h3>${title}</h3>
          ${fieldList(name, fields)}`,
    )}
    <h3>Response</h3>
    ${
      outputs.length === 0
        ? html`<p class="quiet">Status ${status}, without a body.</p>`
        : html`<details>
            <summary>Status ${status}, fields of the response</summary>
            ${fieldList(`${name}.response`, outputs.map(withoutRequired))}
          </details>`
    }
    <details>
      <summary>Error codes</summary>
      <p class="codes">
        ${codes.map(code => html`<a href="/docs/errors#${code}"><code>${code}</code></a> `)}
      </p>
    </details>
  `;
  const code = html`
    ${samples(`${method} ${path}`, [curlExample(serviceUrl, name)])}
    ${sample === null ? '' : jsonSample('Response', sample)}
  `;
  return html`<section aria-labelledby="${name}">${besideSamples(text, code)}</section>`;
}

/** Responses contain all their members, so nothing has to be marked. */
function withoutRequired<F extends { readonly isRequired: boolean }>(field: F): F {
  return { ...field, isRequired: false };
}

function inputsOf({ params, query, headers, body }: Endpoint) {
  return [
    { title: 'Path', schema: params },
    { title: 'Query', schema: query },
    { title: 'Headers', schema: headers },
    { title: 'Body', schema: body },
  ].flatMap(({ title, schema }) => (schema ? [{ title, fields: describeFields(schema) }] : []));
}

function methodBadge(method: Endpoint['method']): Html {
  return html`<span class="method" data-method="${method}">${method}</span>`;
}

/** Returns the first clause of a summary, such as `Delete a customer`. */
function titleOf(summary: string): string {
  return summary.split(/[;,:`]| after | that | to receive /)[0]?.trim() ?? summary;
}

function listOf(items: readonly Html[]): Html {
  return html`${items.map((item, index) => (index === 0 ? item : html`${index === items.length - 1 ? ' and ' : ', '}${item}`))}`;
}

function tagPath(tag: string): string {
  return `/docs/http/${slugOf(tag)}`;
}

function slugOf(tag: string): string {
  return tag.toLowerCase();
}
