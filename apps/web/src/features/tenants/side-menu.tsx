import { matchPath, useLocation } from 'react-router';
import { useSession } from '#api/session.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { EmailAddress } from '#ui/email-address.tsx';
import { CloseIcon, HomeIcon, LogoutIcon, ShieldIcon, SupportIcon, WalletIcon } from '#ui/icons.tsx';
import { Link } from '#ui/link.tsx';
import { TextLink } from '#ui/text-link.tsx';
import styles from './side-menu.module.css';

const entries = [
  { to: '/dashboard', label: 'Dashboard', Icon: HomeIcon },
  { to: '/linked-accounts', label: 'Linked Accounts', Icon: WalletIcon },
  { to: '/terms', label: 'Privacy / T&Cs', Icon: ShieldIcon },
  { to: '/support', label: 'Support', Icon: SupportIcon },
  { to: '/logout', label: 'Logout', Icon: LogoutIcon },
];

interface SideMenuProps {
  isOpen: boolean;
  onClose: () => void;
  /** The signed-in address was pressed. */
  onAccount: () => void;
}

export default function SideMenu({ isOpen, onClose, onAccount }: SideMenuProps) {
  const session = useSession();
  const { pathname } = useLocation();
  const isAt = (path: string) => matchPath({ path, end: false }, pathname) !== null;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} side="right" aria-label="Menu">
      <Button look="quiet" className={styles.close} onClick={onClose}>
        <CloseIcon />
        <span className="visually-hidden">Close menu</span>
      </Button>
      <nav aria-label="Main">
        <ul className={styles.list}>
          {entries.map(({ to, label, Icon }) => (
            <li key={to}>
              <Link to={to} className={styles.entry} aria-current={isAt(to) ? 'page' : undefined} onClick={onClose}>
                <Icon />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {session.state === 'signed-in' && (
        <div className={styles.account}>
          <span>Signed in as</span>
          <Button
            look="quiet"
            className={styles.address}
            onClick={onAccount}
            aria-haspopup="dialog"
            aria-label={`${session.email}, your account`}
          >
            <EmailAddress address={session.email} />
          </Button>
          <TextLink to="/terms#your-data" onClick={onClose}>
            Pause, stop debits or close
          </TextLink>
        </div>
      )}
    </Dialog>
  );
}
