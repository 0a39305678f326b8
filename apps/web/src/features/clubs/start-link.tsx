import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router';
import type { RegistrationStart } from '#features/tenants/registration-start.ts';
import { Link } from '#ui/link.tsx';
import styles from './start-link.module.css';

interface StartLinkProps {
  start: RegistrationStart | { clubId: string; slug: string };
}

/**
 * The one button of a landing page. Its address works before any script has run and in a new tab: a club's names the
 * club.
 */
export function StartLink({ start }: StartLinkProps) {
  const navigate = useNavigate();
  const path = 'slug' in start ? `/clubs/${start.slug}` : start.path;
  const state = 'slug' in start ? { selectedClubId: start.clubId } : start.state;

  function goAtOnce(event: MouseEvent) {
    if (!state || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void navigate('/register2', { state });
  }
  return (
    <Link className={styles.start} to={path} onClick={goAtOnce}>
      Start rounding up
    </Link>
  );
}
