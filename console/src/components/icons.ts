import { html, type TemplateResult } from 'lit';

/** Draws a decorative icon in the colour and size of the text around it, from strokes in a 24 by 24 view box. */
function drawIcon(path: string): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;
}

export const icons = {
  overview: drawIcon('M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z'),
  organizations: drawIcon('M4 20V6l8-3v17M12 9l8 2v9M2.5 20h19M8 8.5v.2M8 12v.2M8 15.5v.2M16 14v.2M16 17v.2'),
  applications: drawIcon('m8 8-4 4 4 4M16 8l4 4-4 4M13.5 5l-3 14'),
  connectors: drawIcon('M9 4v4m6-4v4M7 8h10v3a5 5 0 0 1-10 0zM12 16v4'),
  customers: drawIcon(
    'M12.5 8.5a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0M3 19.5c.6-3.5 2.9-5.5 6-5.5s5.4 2 6 5.5M16 5.4a3.5 3.5 0 0 1 0 6.2M18 14.6c1.6.8 2.7 2.5 3 4.9',
  ),
  sync: drawIcon('M19.5 9.5a8 8 0 0 0-14-2.5L4 9M4 4v5h5M4.5 14.5a8 8 0 0 0 14 2.5l1.5-2M20 20v-5h-5'),
  quotas: drawIcon('M4 18a8.5 8.5 0 1 1 16 0M12 15.5l4-5.5M12 15.5v.2'),
  audit: drawIcon('M6 3.5h9l4 4v13H6zM15 3.5v4h4M9 12h7M9 16h7'),
  incidents: drawIcon('M12 4 2.5 20h19zM12 10v4.5M12 17.2v.2'),
  keys: drawIcon('M14.5 9.5a4.5 4.5 0 1 1-1.3-3.2M13 12.5l7.5 7.5M17 16.5l2-2M10 9.5v.2'),
  filter: drawIcon('M4 7h16M7 12h10M10 17h4'),
  search: drawIcon('M17.5 11a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0M16 16l4 4'),
  forward: drawIcon('m9.5 6 6 6-6 6'),
  back: drawIcon('m14.5 6-6 6 6 6'),
  up: drawIcon('m6 14.5 6-6 6 6'),
  down: drawIcon('m6 9.5 6 6 6-6'),
  check: drawIcon('m5 12.5 4.5 4.5L19 7.5'),
  close: drawIcon('m7 7 10 10M17 7 7 17'),
  alert: drawIcon('M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0M12 7.5v5M12 16v.2'),
  info: drawIcon('M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0M12 11v5.5M12 7.8V8'),
  copy: drawIcon('M9 9h11v11H9zM15 9V4H4v11h5'),
  plus: drawIcon('M12 5v14M5 12h14'),
  menu: drawIcon('M4 7h16M4 12h16M4 17h16'),
  person: drawIcon('M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0M4.5 20c.8-4 3.7-6 7.5-6s6.7 2 7.5 6'),
  show: drawIcon(
    'M2.5 12S6 5.5 12 5.5s9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.5S2.5 12 2.5 12M14.8 12a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 0 1 5.6 0',
  ),
  download: drawIcon('M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 20h14'),
  leave: drawIcon('M9 6H5v13h13v-4M13 5h6v6M19 5l-8 8'),
};
