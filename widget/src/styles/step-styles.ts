import { unsafeCSS, type CSSResult } from 'lit';
import forms from './forms.css?inline';
import steps from './steps.css?inline';

/** The styles for the steps that follow the catalog, in addition to {@link widgetStyles}. */
export const stepStyles: CSSResult[] = [forms, steps].map(text => unsafeCSS(text));
