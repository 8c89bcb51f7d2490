import { unsafeCSS, type CSSResult } from 'lit';
import frame from './frame.css?inline';
import lists from './lists.css?inline';
import theme from './theme.css?inline';

/** The styles for the first view. */
export const widgetStyles: CSSResult[] = [theme, frame, lists].map(text => unsafeCSS(text));
