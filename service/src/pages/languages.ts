import type { Request } from 'express';

/** The supported languages. The first one is the fallback. */
export const languages = ['en', 'de', 'fr', 'es', 'pt', 'ja', 'zh', 'ar'] as const;
export type Language = (typeof languages)[number];

/** Returns the supported language that the browser prefers, or English if it accepts none of them. */
export function chooseLanguage(request: Pick<Request, 'acceptsLanguages'>): Language {
  const accepted = request.acceptsLanguages(...languages);
  return languages.find(language => language === accepted) ?? languages[0];
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}
