/** HTML that may be sent: made by {@link html} only, everything put into it escaped. */
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

/** A template whose values are escaped, unless they are HTML themselves; lists are put one after the other. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(write)));
}

function write(part: Part): string {
  if (part instanceof Html) return part.toString();
  if (typeof part === 'object') return part.map(write).join('');
  return String(part).replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

/** Text in which `words` between backticks are code. */
export function prose(text: string): Html {
  const parts = text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return html`${parts}`;
}
