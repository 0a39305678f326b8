import type { ComponentProps, MouseEvent } from 'react';
import { createPath, type To, useHref, useLocation, useNavigate, useResolvedPath } from 'react-router';

export interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: To;
  /** The navigation state that the next screen reads. */
  state?: unknown;
}

/** A press that the browser itself follows, into a new tab say. */
const isBrowsers = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean =>
  button !== 0 || metaKey || altKey || ctrlKey || shiftKey;

/**
 * A link to another screen. The router's own brings forms, fetchers and prefetching with it, 3 kB of what the login
 * screen waits for.
 */
export function Link({ to, state, onClick, ...rest }: LinkProps) {
  const navigate = useNavigate();
  const href = useHref(to);
  const isHere = createPath(useResolvedPath(to)) === createPath(useLocation());

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (event.defaultPrevented || isBrowsers(event)) return;
    event.preventDefault();
    void navigate(to, { state, replace: isHere });
  }
  return <a {...rest} href={href} onClick={follow} />;
}
