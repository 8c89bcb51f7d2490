import { html, type TemplateResult } from 'lit';
import { drawIcon } from './icons.ts';

const eye =
  'M2.5 12S6 5.5 12 5.5s9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.5S2.5 12 2.5 12M14.8 12a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 0 1 5.6 0';

/** The icons on the screens that follow the catalog. */
export const stepIcons = {
  show: drawIcon(eye),
  hide: drawIcon(`${eye}M4 4l16 16`),
  clock: drawIcon('M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0M12 7v5l3.5 2'),
  edit: drawIcon('M4.5 19.5v-4L16 4l4 4L8.5 19.5zM13.5 6.5l4 4'),
  lock: drawIcon('M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3'),
  sync: drawIcon(
    'M19.5 11a7.5 7.5 0 0 0-13.3-3.8L4 9.5M4 5v4.5h4.5M4.5 13a7.5 7.5 0 0 0 13.3 3.8l2.2-2.3M20 19v-4.5h-4.5',
  ),
  never: drawIcon('M12 3l7.5 3v5c0 5-3 8-7.5 10-4.5-2-7.5-5-7.5-10V6zM9.5 9l5 5m0-5-5 5'),
  link: drawIcon(
    'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6L11.5 7M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1.5-1.5',
  ),
  leave: drawIcon('M9 6H5v13h13v-4M13 5h6v6M19 5l-8 8', true),
};

/** A decorative activity indicator. The text beside it describes the operation in progress. */
export const spinner: TemplateResult = html`<span class="spinner"></span>`;
