// The only module with an effect on import: dependencies fail on older Node versions with errors that do not
// mention the version, and an import that comes first runs before them.
import { explainOldNode } from './node-version.ts';

const reason = explainOldNode();
if (reason !== null) throw new Error(reason);
