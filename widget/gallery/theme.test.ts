import { expect, test } from 'vitest';
import { cssOf, readTheme } from './theme.ts';

const themeOf = (query: string) => readTheme(new URLSearchParams(query));

test('writes only what differs from the look of the widget', () => {
  expect(cssOf(themeOf(''))).toBe("/* The widget's own look needs no CSS. */");
  expect(cssOf(themeOf('accent=%23aa3300&radius=4&font=serif&density=compact&theme=dark'))).toBe(
    `connector-auth {
  --connector-auth-accent: #aa3300;
  --connector-auth-radius: 4px;
  --connector-auth-font: Charter, Georgia, serif;
  --connector-auth-gap: 14px;
  --connector-auth-font-size: 14px;
  color-scheme: dark;
}`,
  );
});

test('ignores values in an address that cannot be chosen', () => {
  expect(themeOf('accent=red;}&radius=1e9&font=toString&density=x&theme=blue')).toEqual(themeOf(''));
});
