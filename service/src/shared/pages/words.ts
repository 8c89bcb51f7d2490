import { html, type Html } from '../http/html.ts';

/** The values that replace the placeholders in messages, such as `{vendor}`. */
export type Names = Readonly<Record<string, string | null>>;

/**
 * Replaces the placeholders. Wraps each name in `bdi`, so that a name in another script cannot reorder the
 * sentence.
 */
export function fillIn(template: string, names: Names): Html {
  const parts = template
    .split(/(\{\w+\})/)
    .map(part => (part.startsWith('{') ? html`<bdi>${nameOf(part, names)}</bdi>` : part));
  return html`${parts}`;
}

/** Replaces the placeholders in a text without markup, such as a page's title. */
export function fillInPlain(template: string, names: Names): string {
  return template.replaceAll(/\{\w+\}/g, part => nameOf(part, names));
}

function nameOf(part: string, names: Names): string {
  return names[part.slice(1, -1)] ?? '…';
}
