import { html, type TemplateResult } from 'lit';
import { icons } from '../components/icons.ts';
import { urlOfPage } from './router.ts';

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
  [{ path: '/keys', label: 'Admin keys', icon: icons.keys }],
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
