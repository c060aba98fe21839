/** Buttons that copy code. */

const SHOWN_MS = 1_600;

/** Adds a button to each code block if the browser lets a page copy. */
export function addCopyButtons(root: ParentNode): void {
  const { clipboard } = navigator;
  if (clipboard === undefined) return;
  for (const block of root.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy button plain';
    button.ariaLabel = `Copy: ${block.querySelector('pre')?.ariaLabel}`;
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      const copied = await clipboard.writeText(block.querySelector('code')?.textContent ?? '').then(
        () => true,
        () => false,
      );
      button.textContent = copied ? 'Copied' : 'Not allowed';
      setTimeout(() => (button.textContent = 'Copy'), SHOWN_MS);
    });
    block.append(button);
  }
}
