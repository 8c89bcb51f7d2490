import { ConnectorAuthController } from '@connector-auth/widget/lit';
import { html, LitElement, nothing } from 'lit';

/** Says how many sources are connected. Shares the flow of the widget, so it changes with it. */
class SourceCount extends LitElement {
  private readonly flow = new ConnectorAuthController(this);

  override render() {
    const { isLoaded, connectors, sources } = this.flow;
    return isLoaded ? html`${connectors.length} connected, ${sources.length} available` : nothing;
  }
}

customElements.define('source-count', SourceCount);
