/** Where the service is: where the page came from. */

/** Writes the real origin wherever the page speaks of it. */
export function showOrigin(): void {
  for (const place of document.querySelectorAll('[data-origin]')) place.textContent = location.origin;
}
