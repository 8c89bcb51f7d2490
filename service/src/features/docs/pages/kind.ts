import { endpoints } from '@connector-auth/api';
import {
  describeKind,
  type EntityReference,
  type Kind,
  type KindReference,
} from '@connector-auth/connectors/kind';
import { html, prose, type Html } from '../../../shared/http/html.ts';
import { classNameOf, curlRequest, writeLiteral } from '../calls.ts';
import { samples, type Sample } from '../code.ts';
import { besideSamples, facts, fieldId, fieldList, heading, table } from '../parts.ts';
import type { DocsPage } from '../site.ts';

/** Returns the page about a source: how to connect it, its limits and its entities. */
export function kindPage(kind: Kind, reference: KindReference, serviceUrl: string): DocsPage {
  const { entities, authMethods, settings, accounts, access } = reference;
  const fields = authMethods.flatMap(({ fields }) => fields);
  return {
    path: kindPath(kind),
    title: kind.name,
    group: kind.name,
    icon: `/icons/${kind.key}.svg`,
    sections: [
      { id: 'connect', title: 'Connect' },
      ...(settings.length === 0 ? [] : [{ id: 'settings', title: 'Settings' }]),
      { id: 'entities', title: 'Entities' },
    ],
    terms: [
      ...fields.map(({ path }) => ({ id: 'connect', name: path, type: 'field' as const })),
      ...settings.map(({ path }) => ({ id: fieldId('settings', path), name: path, type: 'field' as const })),
    ],
    render: () => html`
      <p class="lead">${reference.description}.</p>
      ${facts([
        ['connector_type', html`<code>${reference.key}</code>`],
        ['definition_id', html`<code>${reference.definitionId}</code>`],
        ['TypeScript', html`<code>${classNameOf(kind)}</code> of <code>@connector-auth/connectors</code>`],
        ['Support', reference.supportLevel],
        ['Reads', access.reads.join(', ') || 'see Entities'],
        ['Changes', access.changes.join(', ') || 'nothing'],
        ['Health check', html`<code>${reference.check}</code>`],
        ...reference.limits.map((limit): [string, string] => ['Vendor limit', limit]),
      ])}
      ${heading(2, 'connect', 'Connect')}
      <p>
        Your customers connect ${kind.name} in the <a href="/docs/getting-started">widget</a>. To connect it
        from your backend, send the credentials
        yourself${
          authMethods.some(({ type }) => type === 'oauth')
            ? html` or start an <a href="/docs/oauth">OAuth consent</a>`
            : ''
        }.
      </p>
      ${authMethods.map(method => authMethod(kind, method, serviceUrl))}
      ${
        settings.length === 0
          ? ''
          : html`${heading(2, 'settings', 'Settings')}
              <p>
                Members of <code>replication_config</code>. Only your backend can set those for integrators,
                for example with <code>replication_defaults</code> when it mints a widget token.
              </p>
              ${fieldList(
                'settings',
                settings.map(setting =>
                  setting.audience === 'integrator' ? { ...setting, note: 'integrator' } : setting,
                ),
              )}
              ${accounts === null ? '' : choiceOfAccounts(accounts)}`
      }
      ${heading(2, 'entities', 'Entities')} ${entityTable(kind, entities)}
      ${entities.map(({ name }) => html`<span id="${name}"></span>`)}
    `,
  };
}

function choiceOfAccounts({
  setting,
  methods,
  dailyRequestsPerAccount,
}: NonNullable<KindReference['accounts']>): Html {
  const cost =
    dailyRequestsPerAccount === null
      ? ''
      : ` Syncing one account every hour takes about ${dailyRequestsPerAccount.toLocaleString('en')} requests to the vendor a day.`;
  return html`<p>
    In the widget, users choose accounts from a list, and the widget sets <code>${setting}</code>. Grants of
    ${methods.map((method, index) => html`${index > 0 ? ' and ' : ''}<code>${method}</code>`)} can list
    accounts.${cost}
  </p>`;
}

/** Returns the path of the page about a kind. */
export function kindPath({ key }: Pick<Kind, 'key'>): string {
  return `/docs/kinds/${key}`;
}

/** Renders the entities of a kind with links to their pages. */
function entityTable(kind: Kind, entities: readonly EntityReference[]): Html {
  return table(
    'Entities',
    ['Entity', 'Actions', 'Contents'],
    entities.map(({ name, description, actions, search }) => [
      html`<a href="${kindPath(kind)}/${name}"><code>${name}</code></a>`,
      [...actions.map(action => action.name), ...(search === null ? [] : ['search'])].join(', '),
      prose(description),
    ]),
  );
}

function authMethod(kind: Kind, method: KindReference['authMethods'][number], serviceUrl: string): Html {
  const { id, title, description, helpUrl, fields, needsApp, scopes } = method;
  const text = html`
    ${heading(3, `connect.${id}`, title)}
    <p>
      ${prose(description)}
      ${helpUrl === null ? '' : html`<a href="${helpUrl}">Where ${kind.name} shows this</a>`}
    </p>
    ${
      scopes.length === 0
        ? ''
        : html`<p>
            Scopes: ${scopes.map((scope, index) => html`${index > 0 ? ', ' : ''}<code>${scope}</code>`)}
          </p>`
    }
    ${fields.length === 0 ? '' : fieldList(`connect.${id}`, fields)} ${needsApp ? ownAppNote : ''}
  `;
  if (fields.length === 0) return text;
  const credentials = Object.fromEntries(
    fields.filter(({ isRequired }) => isRequired).map(({ path }) => [path, '…']),
  );
  return besideSamples(
    text,
    samples(`Connect ${kind.name}`, [
      curlRequest(serviceUrl, endpoints.createConnector, {
        body: { customer_name: 'acme', connector_type: kind.key, name: kind.name, credentials },
      }),
      withoutService(kind, credentials),
    ]),
  );
}

/** Writes how to use a kind in the caller's own process. */
function withoutService(kind: Kind, credentials: Readonly<Record<string, string>>): Sample {
  const name = classNameOf(kind);
  return {
    language: 'ts',
    text: [
      '// Without the service: your process calls the vendor itself.',
      `import { ${name} } from '@connector-auth/connectors';`,
      '',
      `const connector = new ${name}({`,
      `  credentials: ${writeLiteral(credentials, '  ')},`,
      '});',
      'const { status } = await connector.check();',
    ].join('\n'),
  };
}

const ownAppNote = html`<aside class="note">
  <p>
    Pasted credentials without a <code>client_id</code> and <code>client_secret</code> need the organization's
    own OAuth app (<a href="/docs/http/oauth#setOAuthCredentials"
      ><code>PUT /api/v1/oauth/credentials</code></a
    >); without it, the response is 422 <code>oauth_app_required</code>. The platform's OAuth app serves only
    grants from its own consents, because its client secret would make a token usable that was stolen from
    someone else. This is stricter than the platform's specification (section 5.6), where both fields are
    always optional.
  </p>
</aside>`;

/** Describes all kinds. Reads their recorded calls. */
export function describeKinds(kinds: readonly Kind[]): (readonly [Kind, KindReference])[] {
  return kinds.map(kind => [kind, describeKind(kind)]);
}
