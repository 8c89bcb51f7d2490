import { style as shared } from '../../../../shared/pages/style.ts';

/** The style sheet for the pages where a person allows an agent. */
export const style = `${shared}
.asking { max-inline-size: 32rem; text-align: start; }
.asking .icons { justify-content: start; margin-block-end: 16px; }
.person { display: flex; align-items: center; gap: 12px; margin-block: 1.25rem 0; padding: .75rem 1rem; border-radius: 12px; background: var(--raised); }
.person .tile { flex: none; inline-size: 36px; block-size: 36px; padding: 0; font-size: 1rem; border-radius: 50%; }
.person p { margin: 0; line-height: 1.35; }
.person .quiet { font-size: .9rem; }
.quiet bdi { font-weight: inherit; }
fieldset { min-inline-size: 0; margin: 1.5rem 0 0; padding: 0; border: 0; }
legend { padding: 0; margin-block-end: .5rem; font-weight: 600; }
.options { border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
.option { display: flex; align-items: center; gap: 12px; min-block-size: 48px; padding: .6rem 1rem; cursor: pointer; }
.option + .option { border-block-start: 1px solid var(--line); }
.option:hover { background: var(--raised); }
.option input { flex: none; inline-size: 1.15rem; block-size: 1.15rem; margin: 0; accent-color: var(--accent); }
.option img { flex: none; inline-size: 28px; block-size: 28px; padding: 4px; border-radius: 7px; background: light-dark(#fff, #f3f4f7); box-shadow: inset 0 0 0 1px light-dark(#0c163014, #0000); object-fit: contain; }
.option bdi { font-weight: inherit; }
.option small { display: block; color: var(--muted); font-size: .875rem; line-height: 1.4; }
.option > span { line-height: 1.4; overflow-wrap: anywhere; }
.periods { display: grid; grid-template-columns: repeat(3, 1fr); }
.periods .option { justify-content: center; padding-inline: .5rem; }
.periods .option + .option { border-block-start: 0; border-inline-start: 1px solid var(--line); }
fieldset > .quiet { font-size: .9rem; }
.error { color: var(--bad); font-weight: 600; }
.answers { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; margin-block-start: 1.5rem; }
.answers button, .answers .button { margin: 0; }
.answers + .quiet { margin-block-start: 1rem; font-size: .9rem; text-align: center; }
button.button:hover { background: var(--raised); }
@media (max-width: 26rem) { .answers { grid-template-columns: 1fr; } }
a.button.primary { border: 0; background: var(--accent); color: var(--on-accent); }
a.button.primary:hover { background: color-mix(in srgb, var(--accent) 88%, var(--text)); }
form + .button { margin-block-start: .75rem; }
@media (forced-colors: active) { .options, .person { border: 1px solid; } }
`;
