import type { TemplateResult } from 'lit';
import { segments } from '../components/segments.ts';

type Theme = 'auto' | 'light' | 'dark';

/** The colour themes with their labels. `auto` follows the operating system. */
const themes = [
  ['auto', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

const key = 'connector-auth-console-theme';

export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(key);
    return themes.find(([theme]) => theme === stored)?.[0] ?? 'auto';
  } catch {
    // Browsers can forbid access to the storage.
    return 'auto';
  }
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}

function storeTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(key, theme);
  } catch {
    // The theme then applies to this page only.
  }
}

/** Renders the choice of the colour theme. */
export function themeSwitch(): TemplateResult {
  return segments({
    name: 'theme',
    label: 'Colour theme',
    choices: themes,
    chosen: readTheme(),
    onChange: storeTheme,
  });
}
