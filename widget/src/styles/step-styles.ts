import { unsafeCSS, type CSSResult } from 'lit';
import forms from './forms.css?inline';
import manage from './manage.css?inline';
import steps from './steps.css?inline';

/** The styles for the steps that follow the catalog, in addition to {@link widgetStyles}. */
export const stepStyles: CSSResult[] = [forms, steps, manage].map(text => unsafeCSS(text));
