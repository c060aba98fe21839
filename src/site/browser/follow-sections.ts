/** The section that is being read, in the navigation. */

/** Marks the link of the section in view. */
export function followSections(): void {
  const links = new Map<string, HTMLAnchorElement>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.sections a[href^="#"]'))
    links.set(link.hash.slice(1), link);
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const link = links.get(target.id);
        if (isIntersecting) show(link);
        else link?.removeAttribute('aria-current');
      }
    },
    // A line across the window, a third of the way down.
    { rootMargin: '-33% 0px -66% 0px' },
  );
  for (const id of links.keys()) {
    const section = document.getElementById(id);
    if (section !== null) observer.observe(section);
  }
}

/** Marks a link, and moves it into view where the navigation is wider than a phone. */
function show(link: HTMLAnchorElement | undefined): void {
  if (link === undefined) return;
  link.setAttribute('aria-current', 'true');
  const bar = link.closest('nav');
  bar?.scrollTo({ left: link.offsetLeft - (bar.clientWidth - link.offsetWidth) / 2 });
}
