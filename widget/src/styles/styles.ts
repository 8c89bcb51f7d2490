import { unsafeCSS, type CSSResult } from 'lit';
import frame from './frame.css?inline';
import lists from './lists.css?inline';
import still from './reduced-motion.css?inline';
import theme from './theme.css?inline';

/** Applies to users who prefer reduced motion, and to all if the integrator does. */
const reduced = `@media (prefers-reduced-motion: reduce){${still}}:host([motion='reduce']){${still}}`;

/** The styles for the first view. */
export const widgetStyles: CSSResult[] = [theme, frame, lists, reduced].map(text => unsafeCSS(text));
