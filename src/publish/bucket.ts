/** What publishing needs of a bucket; an R2Bucket is one. */
export type Bucket = Pick<R2Bucket, 'head' | 'get' | 'put' | 'list' | 'delete'>;
