import { html, nothing, type TemplateResult } from 'lit';
import { leavesOf, type Field, type SingleField } from '../form/fields.ts';
import { collectValues, initialValue, validateField } from '../form/values.ts';
import type { Failure } from '../service/failure.ts';
import type { ComponentContext } from './component-context.ts';
import { formField } from './form-field.ts';

/** Fields with what the user has entered, which survives errors and is discarded together with this object. */
export class FormFields {
  readonly #typed = new Map<string, string | boolean>();
  readonly #revealed = new Set<string>();
  /** Error messages by field path. */
  #errors = new Map<string, string>();

  constructor(
    private fields: readonly Field[],
    protected readonly context: ComponentContext,
  ) {}

  /** Replaces the fields by the same ones in another language. What the user has entered stays. */
  reword(fields: readonly Field[]): void {
    this.fields = fields;
  }

  /** Whether there are fields for the user to fill in. */
  get isEmpty(): boolean {
    return this.#leaves().every(({ kind }) => kind === 'fixed');
  }

  /** Whether the user has entered anything. */
  get isChanged(): boolean {
    return this.#typed.size > 0;
  }

  /** Whether a field shows an error. */
  get hasErrors(): boolean {
    return this.#errors.size > 0;
  }

  /** Shows the service's messages for these fields. Returns whether there are any. */
  showIssues(failure: Failure | null): boolean {
    const paths = new Set(this.#leaves().map(({ path }) => path));
    const issues = failure?.issues.filter(({ path }) => paths.has(path)) ?? [];
    this.#errors = new Map(issues.map(({ path, message }) => [path, message]));
    return this.hasErrors;
  }

  /** Validates the input. Returns the number of invalid fields, which then show their errors. */
  validate(): number {
    const { messages } = this.context;
    this.#errors = new Map();
    for (const field of this.#leaves()) {
      const issue = field.kind === 'fixed' ? null : validateField(field, this.#valueOf(field));
      if (!issue) continue;
      const { label } = this.#worded(field);
      const words = 'limit' in issue ? messages[issue.kind](issue.limit) : messages[issue.kind](label);
      this.#errors.set(field.path, words);
    }
    return this.#errors.size;
  }

  /** Returns the values in the shape of a request. */
  values(): Readonly<Record<string, unknown>> {
    return collectValues(this.#leaves(), this.#typed);
  }

  render(isReadonly: boolean): unknown {
    return this.#render(this.fields, isReadonly);
  }

  #render(fields: readonly Field[], isReadonly: boolean): readonly (TemplateResult | typeof nothing)[] {
    const { messages, host } = this.context;
    return fields.map(field => {
      const { kind, path, label, description } = field;
      if (kind === 'fixed') return nothing;
      if (kind === 'group') {
        return html`<fieldset part="group">
          <legend part="heading" dir="auto">${label}</legend>
          ${description ? html`<p class="hint" part="hint" dir="auto">${description}</p>` : nothing}
          ${this.#render(field.fields, isReadonly)}
        </fieldset>`;
      }
      return formField(this.#worded(field), {
        value: this.#valueOf(field),
        error: this.#errors.get(path),
        isRevealed: this.#revealed.has(path),
        isReadonly,
        messages,
        onInput: value => {
          this.#typed.set(path, value);
          this.#errors.delete(path);
          host.requestUpdate();
        },
        onReveal: () => {
          if (!this.#revealed.delete(path)) this.#revealed.add(path);
          host.requestUpdate();
        },
      });
    });
  }

  /** Returns a field with its label. Only the connection's name is labelled by the widget. */
  #worded<F extends Field>(field: F): F {
    const { nameLabel: label, nameHint: description } = this.context.messages;
    return field.path === 'name' ? { ...field, label, description } : field;
  }

  #valueOf(field: SingleField): string | boolean {
    return this.#typed.get(field.path) ?? initialValue(field);
  }

  #leaves(): ReturnType<typeof leavesOf> {
    return leavesOf(this.fields);
  }
}

/** Announces invalid fields and focuses the first one. */
export async function announceInvalid(
  count: number,
  { host, announce, messages }: ComponentContext,
): Promise<void> {
  host.requestUpdate();
  announce(messages.issuesFound(count));
  await host.updateComplete;
  host.renderRoot.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
