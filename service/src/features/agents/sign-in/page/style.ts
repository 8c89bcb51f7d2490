import { style as shared } from '../../../../shared/pages/style.ts';

/** The style sheet for the pages where a person allows an agent. */
export const style = `${shared}
body:has(.asking) { padding-block: 1rem; }
/* Clips the corners of the answers without becoming what they stick to. */
.asking { --pad: clamp(1.125rem, 5vw, 1.75rem); max-inline-size: 36rem; padding: var(--pad) var(--pad) 0; overflow: clip; text-align: start; }
.asking header { display: flex; align-items: center; gap: 14px; }
.asking .icons { flex: none; margin: 0; }
.asking .icons .tile { inline-size: 44px; block-size: 44px; padding: 8px; font-size: 1.25rem; }
.asking h1 { min-inline-size: 0; margin: 0; font-size: clamp(1.15rem, 1rem + .8vw, 1.35rem); overflow-wrap: anywhere; }
.asking p { line-height: 1.4; }
.person { display: flex; align-items: center; gap: 12px; margin-block: .875rem 0; padding: .625rem 1rem; border-radius: 12px; background: var(--raised); }
.person + p { margin-block-start: .75rem; }
.person .tile { flex: none; inline-size: 36px; block-size: 36px; padding: 0; font-size: 1rem; border-radius: 50%; }
.person p { margin: 0; }
.quiet bdi { font-weight: inherit; }
.asking form { margin: 0; }
fieldset { min-inline-size: 0; margin: 1rem 0 0; padding: 0; border: 0; }
legend { padding: 0; margin-block-end: .375rem; font-weight: 600; }
.options { border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
.option { display: flex; align-items: center; gap: 12px; min-block-size: 44px; padding: .4rem 1rem; cursor: pointer; }
.option + .option { border-block-start: 1px solid var(--line); }
.option:hover { background: var(--raised); }
.option input { flex: none; inline-size: 1.15rem; block-size: 1.15rem; margin: 0; accent-color: var(--accent); }
.option img { flex: none; inline-size: 28px; block-size: 28px; padding: 4px; border-radius: 7px; background: light-dark(#fff, #f3f4f7); box-shadow: inset 0 0 0 1px light-dark(#0c163014, #0000); object-fit: contain; }
.option bdi { font-weight: inherit; }
.option small { display: block; color: var(--muted); font-size: .875rem; line-height: 1.35; }
.option b { margin-inline-start: .25rem; padding: .1em .5em; border-radius: 1em; background: color-mix(in oklab, var(--accent) 14%, var(--surface)); color: var(--accent); font-size: .8125rem; font-weight: 600; }
.option > span { line-height: 1.4; overflow-wrap: anywhere; }
.periods { display: flex; flex-wrap: wrap; }
.periods .option { flex: 1 0 auto; justify-content: center; gap: 8px; padding-inline: .375rem; white-space: nowrap; }
.periods .option + .option { border-block-start: 0; border-inline-start: 1px solid var(--line); }
fieldset > .quiet { font-size: .875rem; }
.error { color: var(--bad); font-weight: 600; }
/* Always in view, however many rights and sources there are. */
.answers { position: sticky; inset-block-end: 0; display: grid; grid-template-columns: 1fr 1fr; gap: .625rem .75rem; margin: 1rem calc(-1 * var(--pad)) 0; padding: .75rem var(--pad) max(1rem, env(safe-area-inset-bottom)); border-block-start: 1px solid var(--line); background: var(--surface); }
.answers p { grid-column: 1 / -1; margin: 0; font-size: .875rem; }
.answers button, .answers .button { margin: 0; }
:root:has(.answers) { scroll-padding-block-end: 10rem; }
@media (min-width: 40rem) {
  .sources { display: grid; grid-template-columns: 1fr 1fr; }
  .sources .option + .option { border-block-start: 0; }
  .sources .option:last-child { grid-column: 1 / -1; border-block-start: 1px solid var(--line); }
}
/* On a phone that lies on its side, little else would be in view. */
@media (max-height: 30rem) { .answers { position: static; } }
button.button:hover { background: var(--raised); }
a.button.primary { border: 0; background: var(--accent); color: var(--on-accent); }
a.button.primary:hover { background: color-mix(in srgb, var(--accent) 88%, var(--text)); }
form + .button { margin-block-start: .75rem; }
@media (forced-colors: active) { .options, .person { border: 1px solid; } }
`;
