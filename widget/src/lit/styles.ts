import { unsafeCSS, type CSSResultGroup } from 'lit';
import { widgetStyles } from '../styles/styles.ts';
import inline from './inline.css?inline';
import provider from './provider.css?inline';

export const providerStyles: CSSResultGroup = unsafeCSS(provider);

/** The widget's own styles, for an element in a line of text. */
export const inlineStyles: CSSResultGroup = [...widgetStyles, unsafeCSS(inline)];
