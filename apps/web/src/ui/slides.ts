const slideMs = 200;
/** The smallest visible move, as Chromium measures it too. */
const minShiftPx = 3;

/**
 * A ref for a frame whose parts come and go with the server's answers: the parts after them slide to their new places
 * instead of jumping. It starts with the first press in the frame; until then nothing in it moves.
 */
export function slides(frame: HTMLElement | null): (() => void) | undefined {
  if (!frame) return;
  let tops = new Map<Element, number>();
  const measure = () => {
    const before = tops;
    tops = new Map(Array.from(frame.children, (part) => [part, (part as HTMLElement).offsetTop - frame.offsetTop]));
    for (const [part, top] of tops) {
      const last = before.get(part) ?? top;
      if (Math.abs(last - top) >= minShiftPx) slide(part, last + slidBy(part) - top);
    }
  };
  // Called before the change is painted; a ResizeObserver is called too late for Chromium, which has seen the jump by then.
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

/** Returns the distance of a sliding part from its place. */
const slidBy = (part: Element): number => new DOMMatrixReadOnly(getComputedStyle(part).transform).m42;

function slide(part: Element, from: number): void {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  part.animate(
    { transform: [`translateY(${from}px)`, 'none'] },
    { duration: isStill ? 1 : slideMs, easing: 'ease-out' },
  );
}
