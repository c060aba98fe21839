/** The methods of `R2Bucket` that a run of the publisher or of the writer of the table uses. */
export type Bucket = Pick<R2Bucket, 'head' | 'get' | 'put' | 'list' | 'delete'>;
