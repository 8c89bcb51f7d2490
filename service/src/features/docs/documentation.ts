import { readFileSync } from 'node:fs';
import {
  applicationTokenLifetimeSeconds,
  choosingLifetimeSeconds,
  customerTokenLifetimeSeconds,
  defaultManagement,
  maxAccounts,
  maxWaitSeconds,
  oauthLifetimeSeconds,
  openApiDocument,
  problemCodeHeader,
  problemCodes,
  readOnlyActions,
  type Endpoint,
  type OpenApiDocument,
} from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import { parseGuide, type Facts } from './markdown.ts';
import { entityPage } from './pages/entity.ts';
import { errorCodes } from './pages/errors.ts';
import { homePage } from './pages/home.ts';
import { httpPages } from './pages/http.ts';
import { describeKinds, kindPage } from './pages/kind.ts';
import type { DocsPage, Term } from './site.ts';

/**
 * Returns all pages in the order of the navigation: guides, the HTTP API, and each source with its entities.
 * @param serviceUrl the service's public base URL, which the samples contain.
 */
export function describeService(kinds: readonly Kind[], serviceUrl: string): DocsPage[] {
  const described = describeKinds(kinds);
  const document = openApiDocument(serviceUrl, '');
  return [
    homePage(kinds),
    ...guidePages(serviceUrl),
    ...httpPages(serviceUrl, endpoint => codesOf(document, endpoint)),
    ...described.flatMap(([kind, reference]) => [
      kindPage(kind, reference, serviceUrl),
      ...reference.entities.map(entity => entityPage(kind, entity, serviceUrl)),
    ]),
  ];
}

/** The guides, each a file in `guides/`. */
const guides = [
  'getting-started',
  'tokens',
  'oauth',
  'accounts',
  'execute',
  'search',
  'agents',
  'limits',
  'errors',
  'bring-existing-tokens',
] as const;

function guidePages(serviceUrl: string): DocsPage[] {
  const facts: Facts = {
    service_url: serviceUrl,
    application_token_minutes: applicationTokenLifetimeSeconds / 60,
    customer_token_minutes: customerTokenLifetimeSeconds / 60,
    oauth_minutes: oauthLifetimeSeconds / 60,
    choosing_minutes: choosingLifetimeSeconds / 60,
    max_accounts: maxAccounts.toLocaleString('en'),
    max_wait_seconds: maxWaitSeconds,
    default_actions: codeList(readOnlyActions),
    default_management: codeList(defaultManagement),
    error_codes: errorCodes,
  };
  const errorTerms = problemCodes.map((code): Term => ({ id: code, name: code, type: 'error code' }));
  return guides.map(name => {
    const text = readFileSync(new URL(`guides/${name}.md`, import.meta.url), 'utf8');
    const guide = parseGuide(text, facts);
    return { ...guide, path: `/docs/${name}`, group: 'Guides', terms: name === 'errors' ? errorTerms : [] };
  });
}

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
