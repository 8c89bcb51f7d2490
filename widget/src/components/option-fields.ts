import { html, nothing, type TemplateResult } from 'lit';
import { leavesOf, type Field, type SingleField } from '../form/fields.ts';
import { collectValues, initialValue, validateField } from '../form/values.ts';
import type { RenderContext } from '../screens/render-context.ts';
import type { Failure } from '../service/failure.ts';
import { controlId, formField } from './form-field.ts';

/** A disclosure with optional fields. It opens if one of them is invalid. */
export class OptionFields {
  readonly #typed = new Map<string, string | boolean>();
  readonly #revealed = new Set<string>();
  /** Error messages by field path. */
  #errors = new Map<string, string>();
  #isOpen = false;

  constructor(
    private readonly fields: readonly Field[],
    private readonly context: RenderContext,
  ) {}

  /** Whether a field is invalid. */
  get hasIssues(): boolean {
    return this.#errors.size > 0;
  }

  /** Shows the service's messages for these fields. */
  showIssues(failure: Failure | null): void {
    const paths = new Set(leavesOf(this.fields).map(({ path }) => path));
    const issues = failure?.issues.filter(({ path }) => paths.has(path)) ?? [];
    this.#errors = new Map(issues.map(({ path, message }) => [path, message]));
  }

  /** Returns the values in the shape of a request, or null after focusing the first invalid field. */
  collect(): Readonly<Record<string, unknown>> | null {
    const { messages, announce } = this.context;
    const leaves = leavesOf(this.fields);
    this.#errors = new Map();
    for (const field of leaves) {
      const issue = field.kind === 'fixed' ? null : validateField(field, this.#valueOf(field));
      if (!issue) continue;
      const words = 'limit' in issue ? messages[issue.kind](issue.limit) : messages[issue.kind](field.label);
      this.#errors.set(field.path, words);
    }
    if (!this.#errors.size) return collectValues(leaves, this.#typed);
    announce(messages.issuesFound(this.#errors.size));
    void this.#focusInvalid();
    return null;
  }

  render(isReadonly: boolean): TemplateResult | typeof nothing {
    if (!this.fields.length) return nothing;
    return html`<details
      part="advanced"
      ?open=${this.#isOpen || this.hasIssues}
      @toggle=${({ target }: Event) => {
        // Bound to the disclosure only.
        this.#isOpen = (target as HTMLDetailsElement).open;
      }}
    >
      <summary part="heading">${this.context.messages.options}</summary>
      ${this.#renderFields(this.fields, isReadonly)}
    </details>`;
  }

  #renderFields(fields: readonly Field[], isReadonly: boolean): readonly (TemplateResult | typeof nothing)[] {
    const { messages, host } = this.context;
    return fields.map(field => {
      const { kind, path, label } = field;
      if (kind === 'fixed') return nothing;
      if (kind === 'group') {
        return html`<fieldset part="group">
          <legend part="heading" dir="auto">${label}</legend>
          ${this.#renderFields(field.fields, isReadonly)}
        </fieldset>`;
      }
      return formField(field, {
        value: this.#valueOf(field),
        error: this.#errors.get(path),
        isRevealed: this.#revealed.has(path),
        isReadonly,
        messages,
        onInput: value => {
          this.#typed.set(path, value);
          if (this.#errors.delete(path)) host.requestUpdate();
        },
        onReveal: () => {
          if (!this.#revealed.delete(path)) this.#revealed.add(path);
          host.requestUpdate();
        },
      });
    });
  }

  #valueOf(field: SingleField): string | boolean {
    return this.#typed.get(field.path) ?? initialValue(field);
  }

  async #focusInvalid(): Promise<void> {
    const { host } = this.context;
    host.requestUpdate();
    await host.updateComplete;
    const first = leavesOf(this.fields).find(({ path }) => this.#errors.has(path));
    if (first) host.renderRoot.querySelector<HTMLElement>(`#${CSS.escape(controlId(first))}`)?.focus();
  }
}
