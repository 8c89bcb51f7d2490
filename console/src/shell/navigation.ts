import { html, type TemplateResult } from 'lit';
import { icons } from '../components/icons.ts';
import { urlOfPage } from '../routing/router.ts';

interface Entry {
  readonly path: string;
  readonly label: string;
  readonly icon: TemplateResult;
}

/** The entries of the main navigation, in groups. */
const groups: readonly (readonly Entry[])[] = [
  [{ path: '/', label: 'Overview', icon: icons.overview }],
  [
    { path: '/organizations', label: 'Organizations', icon: icons.organizations },
    { path: '/applications', label: 'Applications', icon: icons.applications },
  ],
  [
    { path: '/customers', label: 'Customers', icon: icons.customers },
    { path: '/connectors', label: 'Connectors', icon: icons.connectors },
    { path: '/sync-jobs', label: 'Sync jobs', icon: icons.sync },
    { path: '/vendor-quotas', label: 'Vendor quotas', icon: icons.quotas },
  ],
  [
    { path: '/incidents', label: 'Incidents', icon: icons.incidents },
    { path: '/audit', label: 'Audit', icon: icons.audit },
    { path: '/keys', label: 'Admin keys', icon: icons.keys },
  ],
];

/** Renders the main navigation. */
export function navigation(currentPath: string): TemplateResult {
  return html`<nav aria-label="Main" class="main-nav">
    ${groups.map(
      entries =>
        html`<ul>
          ${entries.map(
            ({ path, label, icon }) =>
              html`<li>
                <a href=${urlOfPage(path)} aria-current=${currentOf(path, currentPath)}>${icon}${label}</a>
              </li>`,
          )}
        </ul>`,
    )}
  </nav>`;
}

function currentOf(path: string, current: string): 'page' | 'true' | 'false' {
  if (path === current) return 'page';
  return path !== '/' && current.startsWith(`${path}/`) ? 'true' : 'false';
}
