const slideMs = 200;

/**
 * A ref of a frame whose parts come and go with what the server answers: what stands after them slides to its new place
 * instead of jumping there. It begins with the first press in the frame; until then nothing in it moves at all.
 */
export function slides(frame: HTMLElement | null): (() => void) | undefined {
  if (!frame) return;
  let tops = new Map<Element, number>();
  const measure = () => {
    const before = tops;
    tops = new Map(Array.from(frame.children, (part) => [part, (part as HTMLElement).offsetTop - frame.offsetTop]));
    for (const [part, top] of tops) slide(part, (before.get(part) ?? top) - top);
  };
  // Told before the change is painted; a ResizeObserver is told too late for Chromium, which has seen the jump by then.
  const observer = new MutationObserver(measure);
  const begin = () => {
    tops.clear(); // the window may have had another size when it was measured
    measure();
    observer.observe(frame, { childList: true, subtree: true, characterData: true, attributeFilter: ['class'] });
  };
  frame.addEventListener('click', begin, true);
  return () => {
    frame.removeEventListener('click', begin, true);
    observer.disconnect();
  };
}

function slide(part: Element, from: number): void {
  if (from === 0) return;
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  part.animate(
    { transform: [`translateY(${from}px)`, 'none'] },
    { duration: isStill ? 1 : slideMs, easing: 'ease-out' },
  );
}
