import { languages, type Language } from './contract/names.ts';

/**
 * Returns the supported language that an `Accept-Language` header or a single tag prefers, such as `de` for `de-AT`, or
 * English. A different script counts as a different language: `zh-TW` is not `zh`, also if `zh` follows, which browsers
 * add to it. Reads up to 20 tags and 500 characters, because anyone can send headers, and parsing tags is slow.
 */
export function chooseLanguage(header: string | null = ''): Language {
  const others = new Set<string>();
  for (const tag of preferredTags(header ?? '')) {
    const [primary = ''] = tag.toLowerCase().split('-', 1);
    if (!languages.some(each => each === primary)) continue;
    const { language, isUsualScript } = parse(tag);
    const known = languages.find(each => each === language);
    if (known === undefined) continue;
    if (!isUsualScript) others.add(known);
    else if (!others.has(tag.toLowerCase())) return known;
  }
  return 'en';
}

/** Returns the direction in which a supported language is written. */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}

function preferredTags(header: string): string[] {
  return header
    .slice(0, 500)
    .split(',', 20)
    .map(part => {
      const [tag = '', ...parameters] = part.split(';').map(text => text.trim());
      const weight = parameters.find(parameter => parameter.startsWith('q='));
      return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}

function parse(tag: string): { readonly language: string; readonly isUsualScript: boolean } {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return { language, isUsualScript: new Intl.Locale(language).maximize().script === script };
  } catch {
    // Callers can send anything, such as `de-*`.
    return { language: '', isUsualScript: false };
  }
}
