/** The entry of the script-tag build: registers the tag and leaves no global behind. */
import './index.ts';
