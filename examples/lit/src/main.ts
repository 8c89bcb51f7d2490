import './customer-notes.ts';
import './source-count.ts';
