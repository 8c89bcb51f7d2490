import { html, nothing, type TemplateResult } from 'lit';
import { Loader } from '../api/loader.ts';
import { conflictNotice } from './conflict-notice.ts';
import { renderFields, submitButton, type Field, type Fields } from './fields.ts';
import { Form, type FormValues, type Value } from './form.ts';
import { failureNotice } from './notice.ts';
import type { Page } from './page.ts';

interface SettingsOptions<Stored> {
  readonly load: () => Promise<Stored>;
  readonly fields: () => Fields;
  /** Returns what is stored by the names of the fields. */
  readonly read: (stored: Stored) => Readonly<Record<string, unknown>>;
  /** @param version the version that the form shows, if the API has versions of it. */
  readonly save: (changes: Record<string, unknown>, version: number) => Promise<Stored>;
}

/** Loads what a page is about, and shows its settings as a form. */
export class Settings<Stored extends object> {
  readonly loader: Loader<Stored>;
  readonly #form: Form<FormValues>;
  /** The version that the form shows. The page may show a newer one. */
  #version = 0;

  constructor(
    private readonly page: Page,
    private readonly options: SettingsOptions<Stored>,
  ) {
    this.loader = new Loader(page, options.load, stored => this.#show(stored));
    this.#form = new Form<FormValues>(page, valuesOf(options.fields(), {}), {
      loadStored: async () => {
        const stored = await options.load();
        this.loader.set(stored);
        this.#version = versionOf(stored);
        return this.#valuesOf(stored);
      },
    });
  }

  /** Shows the response to a change. Input that was not saved stays. */
  set(stored: Stored): void {
    this.loader.set(stored);
    this.#show(stored);
  }

  render(): TemplateResult {
    const form = this.#form;
    const fields = this.options.fields();
    return html`<form novalidate class="narrow" @submit=${this.#save}>
      ${failureNotice(form.failure)} ${conflictNotice(form, fields)} ${renderFields(form, fields)}
      ${
        this.page.canWrite
          ? html`<div class="actions">
              ${submitButton(form, 'Save', { isEnabled: form.isChanged && !form.conflict })}
            </div>`
          : nothing
      }
    </form>`;
  }

  readonly #save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = this.#form;
    if (!form.isChanged) return;
    const saved = await form.submit(values =>
      this.options.save(requestOf(this.options.fields(), values, form.changedNames), this.#version),
    );
    if (!saved) return;
    form.reset(this.#valuesOf(saved));
    this.set(saved);
    this.page.app.toast('Settings saved');
  };

  #show(stored: Stored): void {
    if (this.#form.refresh(this.#valuesOf(stored))) this.#version = versionOf(stored);
  }

  #valuesOf(stored: Stored): FormValues {
    return valuesOf(this.options.fields(), this.options.read(stored));
  }
}

function versionOf(stored: object): number {
  return 'version' in stored ? Number(stored.version) : 0;
}

/** Returns the values of a form's fields for what is stored under their names. */
export function valuesOf(fields: Fields, stored: Readonly<Record<string, unknown>>): FormValues {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { type }]) => [name, valueOf(type, stored[name] ?? null)]),
  );
}

function valueOf(type: Field['type'], stored: unknown): Value {
  switch (type) {
    case 'check':
      return stored === true;
    case 'lines':
      return Array.isArray(stored) ? stored.join('\n') : '';
    case 'organizations':
    case 'subset':
      return Array.isArray(stored) ? stored.map(String) : type === 'subset' ? null : [];
    default:
      return typeof stored === 'string' || typeof stored === 'number' ? String(stored) : '';
  }
}

/** Returns the members of a request that creates or changes something, for the fields with these names. */
export function requestOf(
  fields: Fields,
  values: FormValues,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => names.includes(name))
      .map(([name, field]) => [name, memberOf(field, values[name] ?? null)]),
  );
}

function memberOf({ type, required = false }: Field, value: Value): unknown {
  if (typeof value !== 'string' || required) return value;
  const text = value.trim();
  if (type === 'lines') return text === '' ? [] : text.split(/\s*\n\s*/);
  if (text === '') return null;
  return type === 'number' ? Number(text) : text;
}
