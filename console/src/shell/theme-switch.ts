import type { TemplateResult } from 'lit';
import { segments } from '../components/segments.ts';
import { readTheme, storeTheme } from './theme.ts';

/** Renders the choice of the colour theme. */
export function themeSwitch(): TemplateResult {
  return segments({
    name: 'theme',
    label: 'Colour theme',
    choices: [
      ['auto', 'System'],
      ['light', 'Light'],
      ['dark', 'Dark'],
    ],
    chosen: readTheme(),
    onChange: storeTheme,
  });
}
