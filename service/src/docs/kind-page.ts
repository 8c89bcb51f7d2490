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
        ${method.needsApp ? ownAppNote : ''}
      `,
    )}
    ${reference.settings.length === 0 ? '' : fieldTable('replication_config', reference.settings)}
    ${reference.entities.map(entitySection)}
  `;
}

const ownAppNote = html`<p>
  Pasted credentials without a <code>client_id</code> and <code>client_secret</code> need the organization's
  own OAuth app (<code>PUT /api/v1/oauth/credentials</code>); without it, the response is 422
  <code>oauth_app_required</code>. The platform's OAuth app serves only grants from its own consents, because
  its client secret would make a token usable that was stolen from someone else. This is stricter than the
  platform's specification (section 5.6), where both fields are always optional.
</p>`;

function entitySection({ name, description, actions, search, freshness }: EntityReference): Html {
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
                fails with <code>query_too_expensive</code>. ${freshness ?? ''}
              </p>
              ${table(
                `Searchable fields of ${name}`,
                ['Field', 'Type', 'Indexed'],
                search.map(field => [
                  html`<code>${field.name}</code>`,
                  `${field.type}${field.isTime ? ' (time)' : ''}`,
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
