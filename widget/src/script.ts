/** The entry point for the script-tag build. Registers the tag without defining global variables. */
import './index.ts';
