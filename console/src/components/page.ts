import type { PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import { FilterChoices } from '../api/filter-choices.ts';
import type { App } from '../app.ts';
import { DocumentElement } from './element.ts';

/** The element of one page. */
export abstract class Page extends DocumentElement {
  @property({ attribute: false }) app!: App;
  /** The values of the placeholders in the page's path, such as the id in `/organizations/:id`. */
  @property({ attribute: false }) params: Readonly<Record<string, string>> = {};

  /** The organizations and connector kinds, which are loaded when the page first needs them. */
  readonly choices = new FilterChoices(this);

  /** Whether the admin key allows changes. */
  get canWrite(): boolean {
    return this.app.session.access === 'write';
  }

  /** Moves focus to the top of the page, for example after the button that had it is gone. */
  protected focusHeading(): void {
    this.querySelector('h1')?.focus();
  }

  /** Keeps focus on the page if the element that has it is no longer rendered. */
  protected override update(changed: PropertyValues): void {
    const hadFocus = this.contains(document.activeElement);
    super.update(changed);
    if (hadFocus && !this.contains(document.activeElement)) this.focusHeading();
  }

  protected override updated(): void {
    const heading = this.querySelector('h1')?.textContent?.trim();
    // A response can arrive after the page was left.
    if (heading && this.isConnected) document.title = `${heading} · Connector Auth console`;
  }
}
