/** What an integrator chooses for the widget. Each member is also a parameter of the page's address. */
export interface Theme {
  /** A CSS color; empty for the widget's own. */
  readonly accent: string;
  /** The radius of corners in pixels; empty for the widget's own. */
  readonly radius: string;
  readonly font: keyof typeof fonts;
  readonly density: keyof typeof densities;
  readonly theme: 'auto' | 'light' | 'dark';
}

export const fonts = {
  system: null,
  page: 'inherit',
  serif: 'Charter, Georgia, serif',
  rounded: "ui-rounded, 'SF Pro Rounded', system-ui, sans-serif",
  mono: "ui-monospace, 'SF Mono', Menlo, monospace",
} as const;

export const densities = {
  compact: { gap: '14px', 'font-size': '14px' },
  normal: {},
  comfortable: { gap: '28px', 'font-size': '17px' },
} as const satisfies Record<string, Record<string, string>>;

/** Returns the CSS for a page with the widget. Only what differs from the widget's own look is in it. */
export function cssOf({ accent, radius, font, density, theme }: Theme): string {
  const properties = {
    ...(accent === '' ? {} : { accent }),
    ...(radius === '' ? {} : { radius: `${radius}px` }),
    ...(fonts[font] === null ? {} : { font: fonts[font] }),
    ...densities[density],
  };
  const lines = [
    ...Object.entries(properties).map(([name, value]) => `--connector-auth-${name}: ${value};`),
    ...(theme === 'auto' ? [] : [`color-scheme: ${theme};`]),
  ];
  if (lines.length === 0) return "/* The widget's own look needs no CSS. */";
  return `connector-auth {\n${lines.map(line => `  ${line}\n`).join('')}}`;
}

/** Reads a theme from the parameters of an address. Values that cannot be chosen are ignored. */
export function readTheme(query: URLSearchParams): Theme {
  const text = (name: string, pattern: RegExp): string => {
    const value = query.get(name) ?? '';
    return pattern.test(value) ? value : '';
  };
  return {
    accent: text('accent', /^#[0-9a-f]{6}$/i),
    radius: text('radius', /^\d{1,2}$/),
    font: oneOf(Object.keys(fonts) as Theme['font'][], query.get('font'), 'system'),
    density: oneOf(Object.keys(densities) as Theme['density'][], query.get('density'), 'normal'),
    theme: oneOf(['auto', 'light', 'dark'] as const, query.get('theme'), 'auto'),
  };
}

function oneOf<T extends string>(values: readonly T[], value: string | null, byDefault: T): T {
  return values.find(each => each === value) ?? byDefault;
}
