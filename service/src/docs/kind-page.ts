import {
  describeKind,
  type EntityReference,
  type FieldReference,
  type Kind,
} from '@connector-auth/connectors/kind';
import { html, prose, type Html } from '../http/html.ts';
import { table } from './page.ts';

/** Renders the reference page for a connector kind. */
export function kindPage(kind: Kind): Html {
  const reference = describeKind(kind);
  return html`
    <p class="lead">${reference.description}.</p>
    <dl class="facts">
      <div>
        <dt>connector_type</dt>
        <dd><code>${reference.key}</code></dd>
      </div>
      <div>
        <dt>definition_id</dt>
        <dd><code>${reference.definitionId}</code></dd>
      </div>
      <div>
        <dt>Support level</dt>
        <dd>${reference.supportLevel}</dd>
      </div>
      <div>
        <dt>Health check</dt>
        <dd><code>${reference.check}</code></dd>
      </div>
      ${reference.limits.map(
        limit =>
          html`<div>
            <dt>Vendor limit</dt>
            <dd>${limit}</dd>
          </div>`,
      )}
    </dl>
    <nav class="contents" aria-label="Entities">
      ${reference.entities.map(({ name }) => html`<a href="#${name}">${name}</a>`)}
    </nav>
    <h2 id="authentication">Authentication</h2>
    ${reference.authMethods.map(
      method => html`
        <h3>${method.title}</h3>
        <p>
          ${prose(method.description)}
          ${method.helpUrl === null ? '' : html`<a href="${method.helpUrl}">Vendor's guide</a>`}
        </p>
        ${method.fields.length === 0 ? '' : fieldTable(`Credentials: ${method.title}`, method.fields)}
      `,
    )}
    ${reference.settings.length === 0 ? '' : fieldTable('replication_config', reference.settings)}
    ${reference.entities.map(entitySection)}
  `;
}

function entitySection({ name, description, actions, search }: EntityReference): Html {
  return html`
    <section aria-labelledby="${name}">
      <h2 id="${name}">${name}</h2>
      <p>${prose(description)}</p>
      ${actions.map(
        action => html`
          <h3 id="${name}.${action.name}"><code>${name}.${action.name}</code></h3>
          <p>${prose(action.summary)}</p>
          ${
            action.params.length === 0
              ? html`<p>No parameters.</p>`
              : fieldTable(`Parameters of ${name}.${action.name}`, action.params)
          }
          ${fieldTable(`Record of ${name}.${action.name}`, action.record)}
        `,
      )}
      ${
        search === null
          ? ''
          : html`<h3 id="${name}.search"><code>${name}.search</code></h3>
              <p>
                Searches synced records. Hosted mode only. A search with many comparisons of many records
                fails with <code>query_too_expensive</code>.
              </p>
              ${table(
                `Searchable fields of ${name}`,
                ['Field', 'Type', 'Indexed'],
                search.map(field => [
                  html`<code>${field.name}</code>`,
                  field.type,
                  field.isIndexed ? 'yes' : '',
                ]),
              )}`
      }
    </section>
  `;
}

function fieldTable(caption: string, fields: readonly FieldReference[]): Html {
  return table(
    caption,
    ['Field', 'Type', 'Meaning'],
    fields.map(({ path, type, isRequired, isSecret, description }) => [
      html`<code>${path}</code>`,
      html`${type}${isRequired ? html` <strong>required</strong>` : ''}${isSecret ? html` <em>secret</em>` : ''}`,
      prose(description),
    ]),
  );
}
