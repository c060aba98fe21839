/**
 * The site is made in Node from code of the Worker, whose types go along, beside those of the highlighter, which bring
 * the browser's. What the Worker's runtime has beyond both is named here; nothing of it is called.
 */

interface SubtleCrypto {
  timingSafeEqual(a: ArrayBuffer, b: ArrayBuffer): boolean;
}
