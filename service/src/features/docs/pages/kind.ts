import { endpoints } from '@connector-auth/api';
import {
  describeKind,
  type EntityReference,
  type Kind,
  type KindReference,
} from '@connector-auth/connectors/kind';
import { classNameOf, curlRequest, writeLiteral } from '../calls.ts';
import type { Sample } from '../code.ts';
import { escapeText, fromMarkdown, inline, md, type Content } from '../content.ts';
import { besideSamples, facts, fieldId, fieldList, folded, heading, lead, samples, table } from '../parts.ts';
import type { DocsPage } from '../site.ts';

/** What the support levels of sources mean. */
export const supportLevels = {
  certified:
    "Certified: maintained together with the service, and tested against a simulation of the vendor's API that follows its documentation.",
  community:
    'Community: maintained by others, and not tested here. The widget shows these sources as “Beta”.',
} as const;

/** Returns the page about a source: what it gives, how to connect it, its settings and its limits. */
export function kindPage(kind: Kind, reference: KindReference, serviceUrl: string): DocsPage {
  const { entities, authMethods, settings, accounts } = reference;
  const fields = authMethods.flatMap(({ fields }) => fields);
  return {
    path: kindPath(kind),
    title: kind.name,
    summary: reference.description,
    group: kind.name,
    icon: `/icons/${kind.key}.svg`,
    sections: [
      { id: 'entities', title: 'What you get' },
      { id: 'connect', title: 'Set up' },
      ...(settings.length === 0 ? [] : [{ id: 'settings', title: 'Settings' }]),
      {
        id: 'limits',
        title: 'Limits',
        words: `rate limit quota ${reference.limits.join(' ').toLowerCase()}`,
      },
      { id: 'names', title: 'Names in code' },
    ],
    terms: [
      ...fields.map(({ path }) => ({ id: 'connect', name: path, type: 'field' as const })),
      ...settings.map(({ path }) => ({ id: fieldId('settings', path), name: path, type: 'field' as const })),
    ],
    render: () => md`
      ${lead(`${escapeText(reference.description)}.`)}

      ${atAGlance(reference)}

      ${heading(2, 'entities', 'What you get')}

      ${entityTable(kind, entities)}

      ${heading(2, 'connect', 'Set up')}

      Your customers connect ${kind.name} in the [widget](/docs/getting-started). To connect it from your backend,
      send the credentials yourself ${
        authMethods.some(({ type }) => type === 'oauth')
          ? inline('or start an [OAuth consent](/docs/oauth)')
          : ''
      }.

      ${authMethods.map(method => authMethod(kind, method, serviceUrl))}

      ${settings.length === 0 ? '' : settingsSection(settings, accounts)}

      ${heading(2, 'limits', 'Limits')}

      ${kind.name} limits requests. The service stays below these limits, shared fairly between customers, and
      responds with \`vendor_rate_limited\` if a request has to wait too long. See [limits](/docs/limits).

      ${list(reference.limits)}

      ${heading(2, 'names', 'Names in code')}

      ${facts([
        ['connector_type', `\`${reference.key}\``],
        ['definition_id', `\`${reference.definitionId}\``],
        ['TypeScript', `\`${classNameOf(kind)}\` of \`@connector-auth/connectors\``],
        ['Health check', `\`${reference.check}\``],
      ])}
    `,
  };
}

/** Returns what decides whether the source fits. */
function atAGlance({ access, authMethods, supportLevel }: KindReference): Content {
  const level = supportLevel === 'community' ? supportLevels.community : supportLevels.certified;
  const ways = authMethods.filter(({ isOpenSourceOnly }) => !isOpenSourceOnly);
  const [name = '', meaning = ''] = level.split(/: (.*)/);
  return facts([
    ['Reads', escapeText(access.reads.join(', ') || 'see below')],
    ['Changes', escapeText(access.changes.join(', ') || 'nothing')],
    ['Customers connect by', ways.map(({ title }) => escapeText(title)).join(', or ')],
    ['Support', `**${name}**: ${meaning}`],
  ]);
}

function list(items: readonly string[]): Content {
  return fromMarkdown(items.map(item => `- ${escapeText(item)}`).join('\n'), {});
}

function settingsSection(settings: KindReference['settings'], accounts: KindReference['accounts']): Content {
  return md`
    ${heading(2, 'settings', 'Settings')}

    Members of \`replication_config\`. Only your backend can set those for integrators, for example with
    \`replication_defaults\` when it mints a widget token.

    ${fieldList(
      'settings',
      settings.map(setting =>
        setting.audience === 'integrator' ? { ...setting, note: 'integrator' } : setting,
      ),
    )}

    ${accounts === null ? '' : choiceOfAccounts(accounts)}
  `;
}

function choiceOfAccounts({
  setting,
  methods,
  dailyRequestsPerAccount,
}: NonNullable<KindReference['accounts']>): Content {
  const cost =
    dailyRequestsPerAccount === null
      ? ''
      : ` Syncing one account every hour takes about ${dailyRequestsPerAccount.toLocaleString('en')} requests to the vendor a day.`;
  return md`
    In the widget, users choose accounts from a list, and the widget sets \`${setting}\`. Grants of
    ${methods.map(method => `\`${method}\``).join(' and ')} can list accounts. ${cost}
  `;
}

/** Returns the path of the page about a kind. */
export function kindPath({ key }: Pick<Kind, 'key'>): string {
  return `/docs/kinds/${key}`;
}

/** Returns the entities of a kind with links to their pages. */
function entityTable(kind: Kind, entities: readonly EntityReference[]): Content {
  return table(
    ['Entity', 'Contents', 'Actions'],
    entities.map(({ name, description, actions, search }) => [
      `[\`${name}\`](${kindPath(kind)}/${name})`,
      escapeText(description),
      [...actions.map(action => action.name), ...(search === null ? [] : ['search'])].join(', '),
    ]),
  );
}

function authMethod(kind: Kind, method: KindReference['authMethods'][number], serviceUrl: string): Content {
  const { id, title, description, helpUrl, fields, needsApp, scopes, isOpenSourceOnly } = method;
  const text = md`
    ${heading(3, `connect.${id}`, escapeText(title))}

    ${description} ${helpUrl === null ? '' : inline(`[Where ${kind.name} shows this](${helpUrl})`)}

    ${scopes.length === 0 ? '' : folded('Scopes', list(scopes.map(scope => `\`${scope}\``)))}

    ${fields.length === 0 ? '' : fieldList(`connect.${id}`, fields)}

    ${needsApp ? ownAppNote() : ''}
  `;
  if (fields.length === 0) return text;
  const credentials = Object.fromEntries(
    fields.filter(({ isRequired }) => isRequired).map(({ path }) => [path, '…']),
  );
  return besideSamples(
    text,
    samples(`Connect ${kind.name}`, [
      ...(isOpenSourceOnly
        ? []
        : [
            curlRequest(serviceUrl, endpoints.createConnector, {
              body: { customer_name: 'acme', connector_type: kind.key, name: kind.name, credentials },
            }),
          ]),
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

function ownAppNote(): Content {
  return folded(
    'Pasted credentials need an OAuth app',
    md`
      Pasted credentials without a \`client_id\` and \`client_secret\` need the organization's own OAuth app
      ([\`PUT /api/v1/oauth/credentials\`](/docs/http/oauth#setOAuthCredentials)); without it, the response is 422
      [\`oauth_app_required\`](/docs/errors/oauth_app_required). The platform's OAuth app serves only grants from its own
      consents, because its client secret would make a token usable that was stolen from someone else. This is stricter
      than the platform's specification (section 5.6), where both fields are always optional.
    `,
  );
}

/** Describes all kinds. Reads their recorded calls. */
export function describeKinds(kinds: readonly Kind[]): (readonly [Kind, KindReference])[] {
  return kinds.map(kind => [kind, describeKind(kind)]);
}
