import { endpoints } from '@connector-auth/api';
import type { EntityReference, FieldReference, Kind } from '@connector-auth/connectors/kind';
import { curlRequest, typescriptCall, type ActionCall } from '../calls.ts';
import { escapeText, join, md, type Content } from '../content.ts';
import {
  besideSamples,
  fieldId,
  fieldList,
  heading,
  jsonSample,
  lead,
  samples,
  section,
  subheading,
} from '../parts.ts';
import type { DocsPage, Term } from '../site.ts';
import { kindPath } from './kind.ts';

type ActionReference = EntityReference['actions'][number];

/** Returns the page about an entity: its actions, each with params and a real call, and its records. */
export function entityPage(kind: Kind, entity: EntityReference, serviceUrl: string): DocsPage {
  const { name, description, actions, search } = entity;
  const records = recordsOf(actions);
  return {
    path: `${kindPath(kind)}/${name}`,
    title: name,
    summary: description,
    group: kind.name,
    icon: `/icons/${kind.key}.svg`,
    sections: [
      ...actions.map(action => ({ id: action.name, title: `${name}.${action.name}` })),
      ...(search === null ? [] : [{ id: 'search', title: `${name}.search` }]),
      ...records.map(({ id, title }) => ({ id, title })),
    ],
    terms: [
      ...actions.flatMap(action => action.params.map(({ path }) => term('param', action.name, path))),
      ...records.flatMap(({ id, fields }) => fields.map(({ path }) => term('field', id, path))),
    ],
    render: () => md`
      ${lead(`${escapeText(description)}.`)}

      ${actions.map(action => actionSection(kind, entity, action, serviceUrl))}

      ${search === null ? '' : searchSection(kind, entity, search, serviceUrl)}

      ${records.map(({ id, title, fields }) =>
        section(
          id,
          md`
            ${heading(2, id, title)}

            Every field is present; it is null if the vendor did not send it.

            ${fieldList(id, fields)}
          `,
        ),
      )}
    `,
  };
}

function term(type: Term['type'], section: string, path: string): Term {
  return { type, id: fieldId(section, path), name: path };
}

interface RecordReference {
  readonly id: string;
  readonly title: string;
  readonly fields: readonly FieldReference[];
}

/** Lists the different records of an entity's actions; `list` and `get` often return the same one. */
function recordsOf(actions: readonly ActionReference[]): RecordReference[] {
  const groups = Map.groupBy(actions, ({ record }) => JSON.stringify(record));
  return [...groups.values()].map((group): RecordReference => {
    const names = group.map(({ name }) => name);
    const title = groups.size === 1 ? 'Record' : `Record of ${names.join(' and ')}`;
    return {
      id: `record${groups.size === 1 ? '' : `-${names.join('-')}`}`,
      title,
      fields: group[0]?.record ?? [],
    };
  });
}

function actionSection(
  kind: Kind,
  entity: EntityReference,
  action: ActionReference,
  serviceUrl: string,
): Content {
  const { name, summary, params, example } = action;
  const text = md`
    ${heading(2, name, `\`${entity.name}.${name}\``)}

    ${summary}. ${name === 'list' ? 'The `result` is an array of records.' : ''}

    ${
      params.length === 0
        ? md`
This action has no parameters.
          `
        : md`${subheading('Parameters')}\n\n${fieldList(name, params)}`
    }
  `;
  const call = { entity: entity.name, action: name, params: example?.params ?? null };
  return section(
    name,
    example === null ? text : besideSamples(text, callSamples({ kind, serviceUrl }, call, example.response)),
  );
}

function searchSection(
  kind: Kind,
  { name, searchExample, freshness }: EntityReference,
  fields: NonNullable<EntityReference['search']>,
  serviceUrl: string,
): Content {
  const text = md`
    ${heading(2, 'search', `\`${name}.search\``)}

    Searches the records that the service has synced, with the [search language](/docs/search).
    ${freshness ?? ''} The \`result\` is an object, \`{data, meta}\`, and its \`data\` is the array of records.

    ${subheading('Searchable fields')}

    ${fieldList(
      'search',
      fields.map(({ name, type, description, isIndexed, isTime }) => ({
        path: name,
        type: isTime ? `${type} (time)` : type,
        description,
        ...(isIndexed ? { note: 'indexed' } : {}),
      })),
    )}
  `;
  const call = { entity: name, action: 'search', params: searchExample?.request };
  return section(
    'search',
    searchExample === null
      ? text
      : besideSamples(text, callSamples({ kind, serviceUrl }, call, searchExample.response)),
  );
}

/** Returns the same call for curl and TypeScript, and its recorded response. */
function callSamples(
  { kind, serviceUrl }: { readonly kind: Kind; readonly serviceUrl: string },
  call: ActionCall,
  response: unknown,
): Content {
  const title = `${call.entity}.${call.action}`;
  return join([samples(title, callCode(kind, call, serviceUrl)), jsonSample('Response', response)]);
}

/** Writes an action for curl and for TypeScript. */
export function callCode(kind: Kind, call: ActionCall, serviceUrl: string) {
  const curl = curlRequest(serviceUrl, endpoints.execute, {
    params: { id: '$CONNECTOR_ID' },
    body: { entity: call.entity, action: call.action, params: call.params },
  });
  return [curl, typescriptCall(serviceUrl, kind, call)];
}
