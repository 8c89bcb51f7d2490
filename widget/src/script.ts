/** Entry of the script-tag build: registers the tag and defines no global variable. */
import './index.ts';
