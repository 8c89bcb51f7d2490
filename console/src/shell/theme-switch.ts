import { html, type TemplateResult } from 'lit';
import { readTheme, storeTheme, themes, type Theme } from './theme.ts';

const labels: Readonly<Record<Theme, string>> = { auto: 'System', light: 'Light', dark: 'Dark' };

/** Renders the choice of the colour theme. */
export function themeSwitch(): TemplateResult {
  const chosen = readTheme();
  return html`<fieldset class="theme-switch">
    <legend class="visually-hidden">Colour theme</legend>
    ${themes.map(
      theme =>
        html`<label
          ><input
            type="radio"
            name="theme"
            ?checked=${theme === chosen}
            @change=${() => storeTheme(theme)}
          /><span>${labels[theme]}</span></label
        >`,
    )}
  </fieldset>`;
}
