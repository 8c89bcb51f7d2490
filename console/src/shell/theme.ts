/** The colour themes. `auto` follows the operating system. */
export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'connector-auth-console-theme';

export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(key);
    return themes.find(theme => theme === stored) ?? 'auto';
  } catch {
    // Browsers can forbid access to the storage.
    return 'auto';
  }
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}

export function storeTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(key, theme);
  } catch {
    // The theme then applies to this page only.
  }
}
