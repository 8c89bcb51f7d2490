import { endpoints, type Endpoint, type EndpointName } from '@connector-auth/api';
import { endpointExamples } from '@connector-auth/api/examples';
import { describeFields } from '@connector-auth/connectors/kind';
import { html, prose, type Html } from '../../../shared/http/html.ts';
import { curlExample } from '../calls.ts';
import { escapeText, inline, join, md, within, type Content } from '../content.ts';
import {
  besideSamples,
  fieldId,
  fieldList,
  folded,
  heading,
  jsonSample,
  lead,
  samples,
  section,
  subheading,
} from '../parts.ts';
import type { DocsPage, Term } from '../site.ts';

const httpGroup = 'HTTP API';

type NamedEndpoint = readonly [EndpointName, Endpoint];

/** Returns the overview of all endpoints and a page for each group of them. */
export function httpPages(sources: Sources): DocsPage[] {
  // The keys of the contract are its names.
  const all = Object.entries(endpoints) as unknown as NamedEndpoint[];
  const groups = [...Map.groupBy(all, ([, { tag }]) => tag)];
  return [overview(groups), ...groups.map(([tag, group]) => groupPage(tag, group, sources))];
}

function overview(groups: readonly (readonly [string, readonly NamedEndpoint[]])[]): DocsPage {
  return {
    path: '/docs/http',
    title: 'Overview',
    summary: 'Every endpoint, with its parameters, errors and a request for curl.',
    group: httpGroup,
    sections: groups.map(([tag]) => ({ id: slugOf(tag), title: tag })),
    terms: [],
    render: () => md`
      ${lead('Requests and responses are JSON. Send a [token](/docs/tokens) as `Authorization: Bearer …`.')}

      Vendor ids are JSON integers of up to 19 digits: use a parser that does not round them. Unknown
      members in a request are errors; responses can get new members. The [OpenAPI document](/openapi.json) contains all
      schemas, for client generators.

      ${groups.map(
        ([tag, group]) => md`
          ${heading(2, slugOf(tag), tag)}

          ${endpointList(tag, group)}
        `,
      )}
    `,
  };
}

function endpointList(tag: string, group: readonly NamedEndpoint[]): Content {
  return {
    html: html`<ul class="fields">
      ${group.map(
        ([name, { method, path, summary, callers }]) =>
          html`<li>
            <a class="endpoint" href="${endpointUrl(tag, name)}"
              >${methodBadge(method)} <code>${path}</code></a
            >
            <p>
              ${prose(summary)}.
              <span class="type">${callers.length === 0 ? 'No token' : `${callers.join(', ')} token`}</span>
            </p>
          </li>`,
      )}
    </ul>`,
    markdown: group
      .map(
        ([name, { method, path, summary }]) =>
          `- [\`${method} ${path}\`](${endpointUrl(tag, name)}): ${escapeText(summary)}`,
      )
      .join('\n'),
  };
}

interface Sources {
  readonly serviceUrl: string;
  readonly codesOf: (endpoint: Endpoint) => readonly string[];
  /** Returns what the endpoints of a group do. */
  readonly summaryOf: (tag: string) => string;
}

function groupPage(tag: string, group: readonly NamedEndpoint[], sources: Sources): DocsPage {
  return {
    path: tagPath(tag),
    title: tag,
    summary: sources.summaryOf(tag),
    group: httpGroup,
    sections: group.map(([name, { summary }]) => ({ id: name, title: titleOf(summary) })),
    terms: group.flatMap(([name, endpoint]): Term[] => [
      { type: 'endpoint', id: name, name: `${endpoint.method} ${endpoint.path}` },
      { type: 'endpoint', id: name, name },
      ...inputsOf(endpoint).flatMap(({ fields }) =>
        fields.map(({ path }): Term => ({ type: 'param', id: fieldId(name, path), name: path })),
      ),
    ]),
    render: () => md`${group.map(endpoint => endpointSection(endpoint, sources))}`,
  };
}

function endpointSection([name, endpoint]: NamedEndpoint, { serviceUrl, codesOf }: Sources): Content {
  const { method, path, summary, callers, response, status, idempotencyKey } = endpoint;
  const { response: sample } = endpointExamples[name];
  const outputs = response === null ? [] : describeFields(response, 'output');
  const tokens = callers.map(caller => `[${caller}](/docs/tokens)`);
  const codes = codesOf(endpoint).map(code => `[\`${code}\`](/docs/errors/${code})`);
  const text = md`
    ${heading(2, name, escapeText(titleOf(summary)))}

    ${endpointLine(endpoint)}

    ${summary}. ${
      callers.length === 0
        ? 'Needs no token.'
        : inline(`Accepts ${new Intl.ListFormat('en').format(tokens)} tokens.`)
    }
    ${
      idempotencyKey === true
        ? 'With an `Idempotency-Key` header, a repeated request returns the first response for 24 hours.'
        : ''
    }

    ${inputsOf(endpoint).map(({ title, fields }) => md`${subheading(title)}\n\n${fieldList(name, fields)}`)}

    ${subheading('Response')}

    ${
      outputs.length === 0
        ? md`Status ${status}, without a body.`
        : folded(
            `Status ${status}, fields of the response`,
            fieldList(`${name}.response`, outputs.map(withoutRequired)),
          )
    }

    ${folded(
      'Error codes',
      within(inline(codes.join(', ')), inner => html`<p class="codes">${inner}</p>`),
    )}
  `;
  const code = join([
    samples(`${method} ${path}`, [curlExample(serviceUrl, name)]),
    ...(sample === null ? [] : [jsonSample('Response', sample)]),
  ]);
  return section(name, besideSamples(text, code));
}

function endpointLine({ method, path }: Endpoint): Content {
  return {
    html: html`<p class="endpoint">${methodBadge(method)} <code>${path}</code></p>`,
    markdown: `\`${method} ${path}\``,
  };
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

/** Returns the address of the description of an endpoint. */
export function endpointUrl(tag: string, name: string): string {
  return `${tagPath(tag)}#${name}`;
}

function tagPath(tag: string): string {
  return `/docs/http/${slugOf(tag)}`;
}

function slugOf(tag: string): string {
  return tag.toLowerCase();
}
