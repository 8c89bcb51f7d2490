import { unsafeCSS, type CSSResult } from 'lit';
import accounts from './accounts.css?inline';
import forms from './forms.css?inline';
import manage from './manage.css?inline';
import steps from './steps.css?inline';
import success from './success.css?inline';

/** The styles for the steps that follow the catalog, in addition to {@link widgetStyles}. */
export const stepStyles: CSSResult[] = [forms, steps, manage, accounts, success].map(text => unsafeCSS(text));
