/** The usual way, when it puts the body of a refused event on a queue. */

import { usualApp } from './usual-app.ts';

export default usualApp(true);
