import type { SandboxControl } from './control/control.ts';
import { html, page, type Html } from './simulator/html.ts';
import type { Credential } from './simulator/vendor.ts';

/** Renders the page at `/`, which lists each vendor's credentials and OAuth apps, and the injected faults. */
export function renderLandingPage(control: SandboxControl): string {
  const faults = control.faults.list();
  return page(
    'Vendor sandbox',
    html`<main>
      <span class="badge">For development and tests only</span>
      <h1>Vendor sandbox</h1>
      <p>
        This server simulates ${control.vendors().length} vendor APIs, using their real wire formats. The
        first path segment is the vendor's host: <code>/public-api.granola.ai/v1/notes</code>. All data is
        fictional, and every credential below is public and works only here.
      </p>
      ${control.vendors().map(
        vendor =>
          html`<section class="card">
            <h2>${vendor.name}</h2>
            <p class="quiet">${vendor.hosts.join(' · ')}</p>
            ${vendor.credentials.map(renderCredential)}
            ${vendor.oauthApps.map(
              app =>
                html`<h3>OAuth app: ${app.name}</h3>
                  ${renderValues({ client_id: app.clientId, client_secret: app.clientSecret })}`,
            )}
          </section>`,
      )}
      <section class="card">
        <h2>Injected faults</h2>
        ${
          faults.length === 0
            ? html`<p class="quiet">None. Add one with <code>POST /_sandbox/faults</code>.</p>`
            : html`<ul>
                ${faults.map(fault => html`<li><code>${JSON.stringify(fault)}</code></li>`)}
              </ul>`
        }
      </section>
    </main>`,
  );
}

function renderCredential(credential: Credential): Html {
  return html`<h3>${credential.title} ${!credential.works && html`<span class="bad">(rejected)</span>`}</h3>
    <p class="quiet">${credential.description}</p>
    ${renderValues(credential.values)}`;
}

function renderValues(values: Readonly<Record<string, string>>): Html {
  return html`<dl>
    ${Object.entries(values).map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd><code>${value}</code></dd>`,
    )}
  </dl>`;
}
