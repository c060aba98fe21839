/** Every file of the site. */

import project from '../../package.json' with { type: 'json' };
import { assetHeaders } from './asset-headers.ts';
import { openApiDocument } from './openapi/document.ts';
import type { Files } from './write-folder.ts';

/** Makes the files, by their paths below the origin. */
export async function siteFiles(): Promise<Files> {
  return new Map<string, string | Uint8Array>([
    ['_headers', assetHeaders()],
    ['openapi.json', `${JSON.stringify(openApiDocument(project.version), null, 2)}\n`],
  ]);
}
