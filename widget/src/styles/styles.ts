import { unsafeCSS, type CSSResult } from 'lit';
import frame from './frame.css?inline';
import forms from './forms.css?inline';
import lists from './lists.css?inline';
import steps from './steps.css?inline';
import theme from './theme.css?inline';

/** The widget's style sheets, made from files of this folder only. */
export const widgetStyles: CSSResult[] = [theme, frame, lists, forms, steps].map(text => unsafeCSS(text));
