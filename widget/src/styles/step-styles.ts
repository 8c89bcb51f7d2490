import { unsafeCSS, type CSSResult } from 'lit';
import forms from './forms.css?inline';
import steps from './steps.css?inline';

/** What the steps behind the catalog need beside {@link widgetStyles}. */
export const stepStyles: CSSResult[] = [forms, steps].map(text => unsafeCSS(text));
