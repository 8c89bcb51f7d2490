import { defineComponents } from './components/define.ts';
import { definePages } from './pages/routes.ts';
import { ConsoleApp } from './shell/console-app.ts';
import { applyTheme, readTheme } from './shell/theme.ts';
import './styles/console.css';

applyTheme(readTheme());
defineComponents();
definePages();
customElements.define('console-app', ConsoleApp);
