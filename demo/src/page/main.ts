import { FieldbookApp } from './fieldbook-app.ts';
import { recordRequests } from './requests.ts';

recordRequests();
customElements.define('fieldbook-app', FieldbookApp);
