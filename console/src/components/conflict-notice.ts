import { html, nothing, type TemplateResult } from 'lit';
import type { Fields } from './fields.ts';
import type { Form, FormValues } from './form.ts';
import { icons } from './icons.ts';
import { button } from './page-head.ts';

/** Renders what someone else changed while the operator edited the same thing, and offers to continue with both. */
export function conflictNotice(form: Form<FormValues>, fields: Fields): TemplateResult | typeof nothing {
  const { conflict } = form;
  if (!conflict) return nothing;
  const changes = Object.keys(conflict).filter(
    name => JSON.stringify(conflict[name]) !== JSON.stringify(form.initialOf(name)),
  );
  const mine = new Set<string>(form.changedNames);
  return html`<div class="notice warn conflict" role="alert" tabindex="-1">
    ${icons.incidents}
    <div>
      <strong>Someone else changed this while you were editing</strong>
      ${
        changes.length === 0
          ? html`<p>The change concerns nothing in this form.</p>`
          : html`<ul class="changes">
              ${changes.map(
                name =>
                  html`<li>
                    ${fields[name]?.label}: <del>${format(form.initialOf(name))}</del> →
                    <ins>${format(conflict[name])}</ins>${
                      mine.has(name)
                        ? html`, and you entered <ins>${format(form.values[name])}</ins>`
                        : nothing
                    }
                  </li>`,
              )}
            </ul>`
      }
      <div class="actions">
        ${button('Load these changes, keep my input', () => form.resolveConflict(), 'small')}
        ${button('Discard my input', () => form.reset(conflict), 'small')}
      </div>
    </div>
  </div>`;
}

function format(value: FormValues[string] | undefined): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null) return 'all';
  const text = typeof value === 'string' ? value : (value ?? []).join(', ');
  return text === '' ? 'empty' : text;
}
