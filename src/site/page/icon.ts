/** The icon of the pages: the bell of a front desk. Pure. */

/** An SVG that looks well on light and dark tabs. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f2a24"/><g fill="none" stroke="#e5b567" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"><path d="M16 9.5V7.6m-2.2 0h4.4M6.4 21.5a9.6 9.6 0 0 1 19.2 0z"/><path d="M5 25h22"/></g></svg>
`;
