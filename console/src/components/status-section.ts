import { html, type TemplateResult } from 'lit';
import { capitalized, section } from './page-head.ts';
import type { Page } from './page.ts';

/** What happens when something is disabled or enabled. */
interface StatusChange {
  readonly lead: string;
  /** What the dialog says. */
  readonly body: string;
  readonly run: () => Promise<unknown>;
}

/** Renders the section of a page that disables what the page is about, or enables it again. */
export function statusSection(
  page: Page,
  about: { readonly noun: string; readonly name: string; readonly status: 'active' | 'disabled' },
  changes: { readonly disable: StatusChange; readonly enable: StatusChange },
): TemplateResult {
  const { noun, name, status } = about;
  const isActive = status === 'active';
  const { lead, body, run } = isActive ? changes.disable : changes.enable;
  const action = `${isActive ? 'Disable' : 'Enable'} ${noun}`;
  const change = () =>
    page.app.confirm({
      title: isActive ? `Disable this ${noun}?` : `Enable ${name}?`,
      body,
      action,
      done: `${capitalized(noun)} ${isActive ? 'disabled' : 'enabled'}`,
      isDestructive: isActive,
      ...(isActive ? { name } : {}),
      run,
    });
  return section(
    action,
    html`<div class="actions">
      <button type="button" class="button ${isActive ? 'danger' : ''}" @click=${change}>${action}</button>
    </div>`,
    { lead },
  );
}
