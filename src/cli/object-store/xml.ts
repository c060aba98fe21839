/** Parses the XML answers of the S3 API. Pure. */

import { XMLParser } from 'fast-xml-parser';

/** An object in a listing. */
export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  readonly modified: Date;
}

const xml = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'Contents' });

interface ListBucketAnswer {
  readonly ListBucketResult?: {
    readonly Contents?: readonly { Key: string; Size: string; LastModified: string }[];
    readonly IsTruncated?: string;
    readonly NextContinuationToken?: string;
  };
}

/**
 * Parses one page of a listing.
 *
 * @returns The objects, and the token of the next page, undefined on the last one.
 * @throws When the text is not a listing.
 */
export function readListing(text: string): { objects: StoredObject[]; next: string | undefined } {
  const { ListBucketResult: result } = xml.parse(text) as ListBucketAnswer;
  if (result === undefined)
    throw new Error('Cannot read the listing: the bucket did not answer with a ListBucketResult; check R2_URL');
  const objects = (result.Contents ?? []).map(({ Key, Size, LastModified }) => ({
    key: Key,
    bytes: Number(Size),
    modified: new Date(LastModified),
  }));
  return { objects, next: result.IsTruncated === 'true' ? result.NextContinuationToken : undefined };
}

/** Parses an error. For text that is not XML, its first 200 characters become the message. */
export function readError(text: string): { code: string; message: string } {
  if (!text.trimStart().startsWith('<')) return { code: '', message: text.slice(0, 200) };
  const { Error: error } = xml.parse(text) as { Error?: { Code?: string; Message?: string } };
  return { code: error?.Code ?? '', message: error?.Message ?? '' };
}
