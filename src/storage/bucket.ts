/** The methods of `R2Bucket` that publishing uses. */
export type Bucket = Pick<R2Bucket, 'head' | 'get' | 'put' | 'list' | 'delete'>;
