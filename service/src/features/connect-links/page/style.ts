import { style as shared } from '../../../shared/pages/style.ts';

/** The style sheet for the pages of links. */
export const style = `${shared}
[hidden] { display: none !important; }
body { align-content: center; gap: 1.25rem; }
main + .quiet { inline-size: 100%; max-inline-size: 27rem; margin: 0; text-align: center; font-size: .875rem; text-wrap: balance; }
.quiet bdi { font-weight: inherit; }
.claims { display: grid; gap: .5rem; margin: 1.25rem 0 0; padding: 0; list-style: none; text-align: start; }
.claims li { display: flex; gap: .75rem; }
.claims .tone { flex: none; inline-size: 24px; block-size: 24px; }
.claims .tone svg { inline-size: 16px; block-size: 16px; }
form + .note, form + .quiet { margin-block-start: 1rem; }
.check { font-size: .925rem; margin-block-start: 1rem; }
a.button.retry { border: 0; background: var(--accent); color: var(--on-accent); }
a.button.retry:hover { background: color-mix(in srgb, var(--accent) 88%, var(--text)); }
/* No flash between the pages, whose cards differ. */
body:has(.leaving[data-part]) { background: var(--ground); }
.leaving { background: none; }
.leaving .button { position: static; order: 2; }
@media (scripting: none) { [data-part='working'] { display: none; } }
/* The page with the widget. */
body:has(.connecting) { align-content: start; }
.connecting { max-inline-size: 34rem; padding: 0; border: 0; background: none; box-shadow: none; text-align: start; }
.brand { display: flex; align-items: center; gap: 12px; margin-block-end: 1.25rem; }
.brand .tile { inline-size: 40px; block-size: 40px; padding: 7px; font-size: 1.1rem; }
.brand strong { display: block; font-size: 1.05rem; line-height: 1.3; }
.brand .quiet { margin: 0; font-size: .9rem; line-height: 1.3; }
connector-auth { display: block; min-block-size: 20rem; --connector-auth-accent: var(--accent); }
/* A link connects one source. */
connector-auth::part(another-button) { display: none; }
`;
