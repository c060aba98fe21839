/** The usual way, which keeps nothing of what it refuses. */

import { usualApp } from './usual-app.ts';

export default usualApp(false);
