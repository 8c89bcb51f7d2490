import {
  applicationTokenLifetimeSeconds,
  choosingLifetimeSeconds,
  customerTokenLifetimeSeconds,
  defaultManagement,
  endpoints,
  eventNames,
  events,
  maxAccounts,
  maxWaitSeconds,
  oauthLifetimeSeconds,
  openApiDocument,
  problemCodeHeader,
  readOnlyActions,
  type Endpoint,
  type OpenApiDocument,
} from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import { html } from '../../shared/http/html.ts';
import type { Content } from './content.ts';
import { guidePages, type Facts } from './guides.ts';
import { entityPage } from './pages/entity.ts';
import { errorCodes, errorPages } from './pages/errors.ts';
import { homePage } from './pages/home.ts';
import { endpointUrl, httpPages } from './pages/http.ts';
import { describeKinds, kindPage } from './pages/kind.ts';
import { table } from './parts.ts';
import type { DocsPage } from './site.ts';

/**
 * Returns all pages in the order of the navigation: guides, the HTTP API, each source with its entities, and error codes.
 * @param serviceUrl the service's public base URL, which the samples contain.
 */
export function describeService(kinds: readonly Kind[], serviceUrl: string): DocsPage[] {
  const described = describeKinds(kinds);
  const document = openApiDocument(serviceUrl, '');
  const codes = new Map<Endpoint, readonly string[]>(
    Object.values(endpoints).map(endpoint => [endpoint, codesOf(document, endpoint)]),
  );
  return [
    homePage(kinds),
    ...guidePages(factsFor(serviceUrl)),
    ...httpPages({
      serviceUrl,
      codesOf: endpoint => codes.get(endpoint) ?? [],
      summaryOf: tag => document.tags.find(({ name }) => name === tag)?.description ?? tag,
    }),
    ...described.flatMap(([kind, reference]) => [
      kindPage(kind, reference, serviceUrl),
      ...reference.entities.map(entity => entityPage(kind, entity, serviceUrl)),
    ]),
    ...errorPages(code =>
      Object.entries(endpoints)
        .filter(([, endpoint]) => codes.get(endpoint)?.includes(code))
        .map(([name, endpoint]) => ({ endpoint, url: endpointUrl(endpoint.tag, name) })),
    ),
  ];
}

function factsFor(serviceUrl: string): Facts {
  return {
    values: {
      service_url: serviceUrl,
      application_token_minutes: applicationTokenLifetimeSeconds / 60,
      customer_token_minutes: customerTokenLifetimeSeconds / 60,
      oauth_minutes: oauthLifetimeSeconds / 60,
      choosing_minutes: choosingLifetimeSeconds / 60,
      max_accounts: maxAccounts.toLocaleString('en'),
      max_wait_seconds: maxWaitSeconds,
      default_actions: codeList(readOnlyActions),
      default_management: codeList(defaultManagement),
    },
    blocks: { error_codes: errorCodes(), appearance: themePage, events: eventTable() },
  };
}

function eventTable(): Content {
  return table(
    ['event', 'when', 'members of `data`'],
    eventNames.map(name => [
      `\`${name}\``,
      events[name].summary,
      codeList(Object.keys(events[name].data.shape)),
    ]),
  );
}

/** The element of `widget/gallery/appearance.ts`; its content is shown where that did not load. */
const themePage: Content = {
  html: html`<widget-appearance
    ><p class="note">
      The live widget needs JavaScript, and its files, which <code>pnpm build</code> writes.
    </p></widget-appearance
  >`,
  markdown: 'The page contains a live widget. Open it in a browser.',
};

function codeList(names: readonly string[]): string {
  return names.map(name => `\`${name}\``).join(', ');
}

/** Reads the error codes of an endpoint from the OpenAPI document. */
function codesOf(document: OpenApiDocument, { path, method }: Endpoint): string[] {
  // The document describes each response by itself or by reference to a component.
  const operation = document.paths[path]?.[method.toLowerCase()] as Operation | undefined;
  const components = document.components['responses'] as Readonly<Record<string, ProblemResponse>>;
  return Object.values(operation?.responses ?? {}).flatMap(response => {
    const name = response.$ref?.split('/').at(-1);
    const { headers } = name === undefined ? response : (components[name] ?? response);
    return headers?.[problemCodeHeader]?.schema.enum ?? [];
  });
}

interface Operation {
  readonly responses: Readonly<Record<string, ProblemResponse>>;
}

interface ProblemResponse {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, { readonly schema: { readonly enum?: string[] } }>>;
}

export { layout as renderPage } from './layout.ts';
