import '@connector-auth/widget/lit';
import { html, render } from 'lit';
import { loadSession } from './backend.ts';
import { messageOf, renderError } from './element.ts';
import { events } from './events.ts';
import './fieldbook-app.ts';
import { recordRequests } from './requests.ts';
import { backFromVendor } from './routes.ts';

recordRequests();
try {
  // The provider shares one list of connections with the page, the widget and its small elements.
  const session = await loadSession();
  if (session.receivesEvents) events.listen();
  render(
    html`<connector-auth-provider
      token-url="/connector-auth/widget-token"
      oauth-redirect-url=${backFromVendor}
      ><fieldbook-app .session=${session}></fieldbook-app
    ></connector-auth-provider>`,
    document.body,
  );
} catch (error) {
  render(
    renderError(messageOf(error), () => location.reload()),
    document.body,
  );
}
