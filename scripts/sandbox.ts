/** Runs the sandbox from its sources. */
import '../sandbox/src/main.ts';
