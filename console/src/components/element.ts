import { LitElement } from 'lit';

/** An element that renders into the document, so that labels, links and styles are shared by all pages. */
export abstract class DocumentElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Moves focus to an element once what has changed is rendered. */
  protected async focusOn(selector: string): Promise<void> {
    await this.updateComplete;
    this.querySelector<HTMLElement>(selector)?.focus();
  }
}
