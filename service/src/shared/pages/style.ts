import { hueOf } from '@connector-auth/api/connection-state';

/** The style sheet for the pages, in the widget's light and dark colours. Loads no external resources. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#eef0f6, #0d0f13); --surface: light-dark(#fff, #15171c); --raised: light-dark(#f5f6f9, #1e2128);
  --text: light-dark(#12151c, #eceef3); --muted: light-dark(#59616f, #a4acba); --line: light-dark(#e3e6ec, #2d313a);
  --accent: light-dark(#3150d3, #8fa3ff); --on-accent: light-dark(#fff, #0d1024);
  --good: light-dark(#11734a, #62d6a0); --bad: light-dark(#b4232a, #ff8a85); --warn: light-dark(#7d5a00, #f5cb5c);
  font: 100%/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
}
* { box-sizing: border-box; }
body {
  margin: 0; min-block-size: 100vh; min-block-size: 100dvh; display: grid; place-items: center;
  padding: clamp(1rem, 5vw, 2.5rem); background: var(--ground); color: var(--text);
}
main {
  inline-size: 100%; max-inline-size: 27rem; padding: clamp(1.5rem, 6vw, 2.5rem);
  background: var(--surface); border: 1px solid var(--line); border-radius: 16px; text-align: center;
  box-shadow: 0 1px 2px rgb(0 0 0 / .04), 0 18px 48px -16px rgb(20 30 70 / .18);
}
.icons { display: flex; justify-content: center; align-items: center; gap: 12px; margin-block-end: 24px; }
.tile { display: grid; place-items: center; inline-size: 56px; block-size: 56px; padding: 10px; border-radius: 12px; background: light-dark(#fff, #f3f4f7); box-shadow: inset 0 0 0 1px light-dark(#0c163014, #0000); font-size: 1.5rem; font-weight: 600; line-height: 1; }
.letter { background: light-dark(oklch(.95 .03 var(--hue)), oklch(.33 .03 var(--hue))); color: light-dark(oklch(.42 .08 var(--hue)), oklch(.88 .08 var(--hue))); box-shadow: none; }
.tile img { display: block; inline-size: 100%; block-size: 100%; object-fit: contain; }
svg { fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
.arrows { inline-size: 20px; block-size: 20px; color: var(--muted); }
.tone { inline-size: 56px; block-size: 56px; border-radius: 50%; display: grid; place-items: center; }
.tone svg { inline-size: 30px; block-size: 30px; stroke-width: 2.4; }
/* At the corner of the vendor's icon. */
.tile + .tone { align-self: end; inline-size: 34px; block-size: 34px; margin-block-end: -12px; margin-inline-start: -32px; border: 3px solid var(--surface); }
.tile + .tone svg { inline-size: 18px; block-size: 18px; stroke-width: 3; }
.good { color: var(--good); background: color-mix(in oklab, var(--good) 12%, var(--surface)); }
.bad { color: var(--bad); background: color-mix(in oklab, var(--bad) 12%, var(--surface)); }
.warn { color: var(--warn); background: color-mix(in oklab, var(--warn) 12%, var(--surface)); }
.tile + .tone { background: currentColor; }
.tile + .tone svg { color: var(--surface); }
h1 { margin: 0 0 .5rem; font-size: clamp(1.3rem, 1.1rem + 1vw, 1.55rem); line-height: 1.25; letter-spacing: -.012em; text-wrap: balance; }
p { margin: .5rem 0 0; text-wrap: pretty; overflow-wrap: anywhere; }
.quiet { color: var(--muted); }
.note { margin-block-start: 1.25rem; padding: .8rem 1rem; border-radius: 12px; background: var(--raised); color: var(--muted); font-size: .925rem; text-align: start; }
.note + .quiet { margin-block-start: 1rem; }
form { margin-block-start: 1.5rem; }
button, .button {
  display: block; inline-size: 100%; min-block-size: 48px; padding: .7rem 1.25rem; border: 0; border-radius: 12px; cursor: pointer;
  font: inherit; font-weight: 600; background: var(--accent); color: var(--on-accent); text-decoration: none; text-align: center;
}
.button { margin-block-start: 1.25rem; background: none; border: 1px solid var(--line); color: var(--text); }
button:hover { background: color-mix(in srgb, var(--accent) 88%, var(--text)); }
.button:hover { background: var(--raised); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
bdi { font-weight: 600; }
/* Continues the window that the widget opened. The link appears only if the vendor's page takes long. */
body:has(.leaving:not([hidden])) { background: var(--surface); }
.leaving { display: grid; justify-items: center; gap: 24px; padding: 0; border: 0; box-shadow: none; }
.leaving .icons { display: none; }
.leaving h1 { order: 1; margin: 0; font-size: 1rem; font-weight: 400; line-height: 1.5; letter-spacing: normal; }
.leaving h1::after { content: '…'; }
.leaving bdi { font-weight: inherit; }
.leaving .button { position: absolute; inset-block-end: 24px; inline-size: auto; margin: 0; animation: late 1ms 3s backwards; }
.spinner { inline-size: 28px; block-size: 28px; border: 3px solid; border-block-start-color: #0000; border-radius: 50%; opacity: .6; animation: spin .8s linear infinite; }
@keyframes spin { to { rotate: 1turn; } }
@keyframes late { from { visibility: hidden; } }
@keyframes pulse { 50% { opacity: .2; } }
@media (prefers-reduced-motion: reduce) { .spinner { animation: pulse 1.6s infinite; } }
@media (forced-colors: active) { .tone, .tile, .tile + .tone { border: 1px solid; background: Canvas; } .tile + .tone svg { color: CanvasText; } }
`;

/** Returns the style sheet with the colour of an integrator's letter tile. Their policy allows pages no style attributes. */
export function letterStyle(integrator: string | null): string {
  return `:root { --hue: ${hueOf(integrator ?? '')}; }`;
}

/** Returns the style sheet with the integrator's colour, such as `#3150d3`. On dark pages, the colour is lightened. */
export function brandStyle(color: string | null): string {
  if (color === null) return '';
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    at => (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2,
  );
  // Of black and white, the text that has more contrast.
  const text = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
  return `:root { --accent: light-dark(${color}, oklch(from ${color} max(l, .72) c h)); --on-accent: light-dark(${text}, #0d1024); }`;
}
