/** Safe HTML. Can be created only with {@link html}, which escapes every value. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

type Part = Html | string | number | readonly Part[];

/** Escapes the values in a template, except {@link Html} values, and concatenates lists. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(write)));
}

function write(part: Part): string {
  if (part instanceof Html) return part.toString();
  if (typeof part === 'object') return part.map(write).join('');
  return String(part).replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

/** Renders text as HTML, with words in backticks as code. */
export function prose(text: string): Html {
  const parts = text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return html`${parts}`;
}
