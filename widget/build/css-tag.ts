/**
 * Stands in for @lit/reactive-element's css-tag.js in the built files. Lit's own also serves browsers without
 * constructable style sheets; none of those we build for (see vite.config.ts) is one.
 */
interface Style {
  readonly styleSheet: CSSStyleSheet;
}

/** A style sheet from text, made when the first element needs it, and shared by all. */
export function unsafeCSS(text: string): Style {
  let sheet: CSSStyleSheet | undefined;
  return {
    get styleSheet() {
      if (sheet === undefined) (sheet = new CSSStyleSheet()).replaceSync(text);
      return sheet;
    },
  };
}

/** Gives the sheets to a shadow root. */
export function adoptStyles(root: ShadowRoot, styles: readonly Style[]): void {
  root.adoptedStyleSheets = styles.map(({ styleSheet }) => styleSheet);
}

/** Every style is fit for these browsers. */
export function getCompatibleStyle(style: Style): Style {
  return style;
}

// Lit passes these on; nothing here takes them.
export const supportsAdoptingStyleSheets = true;
export const CSSResult = null;
export const css = null;
