/**
 * The site is built in Node from code of the Worker, whose types are included beside those of the highlighter, which
 * bring in the browser's. Members that only the Worker's runtime has are declared here; none of them is called.
 */

interface SubtleCrypto {
  timingSafeEqual(a: ArrayBuffer, b: ArrayBuffer): boolean;
}
