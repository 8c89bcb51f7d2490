import type { Language } from '@connector-auth/api';

/** Words for end-customers in one language. They have the same names and lists in every language. */
export interface Words {
  readonly [name: string]: string | readonly string[] | Words;
}

/** What end-customers read about a kind, by language. Missing languages fall back to English. */
export type Messages = { readonly en: Words } & { readonly [Other in Language]?: Words };

/** The messages of a kind in this package, which exist in every language. */
export type OwnMessages = Readonly<Record<Language, Words>>;

/** The type of a translation of `English`. The compiler rejects missing and superfluous messages. */
export type Translation<English> = English extends string
  ? string
  : { readonly [Name in keyof English]: Translation<English[Name]> };

/** Replaces the placeholders of a message, such as `{source}`. */
export function fill(message: string, values: Readonly<Record<string, string>>): string {
  return message.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
