import Drawer from '@mui/material/Drawer';
import { NavLink } from 'react-router';
import { Button } from '#ui/button.tsx';
import { CloseIcon, HomeIcon, LogoutIcon, ShieldIcon, SupportIcon, WalletIcon } from '#ui/icons.tsx';
import styles from './side-menu.module.css';

const entries = [
  { to: '/dashboard', label: 'Dashboard', Icon: HomeIcon },
  { to: '/linked-accounts', label: 'Linked Accounts', Icon: WalletIcon },
  { to: '/terms', label: 'Privacy / T&Cs', Icon: ShieldIcon },
  { to: '/support', label: 'Support', Icon: SupportIcon },
  { to: '/logout', label: 'Logout', Icon: LogoutIcon },
];

export default function SideMenu({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Drawer
      anchor="right"
      open={isOpen}
      onClose={onClose}
      slotProps={{ paper: { role: 'dialog', 'aria-modal': true, 'aria-label': 'Menu', className: styles.paper } }}
    >
      <Button look="quiet" className={styles.close} onClick={onClose}>
        <CloseIcon />
        <span className="visually-hidden">Close menu</span>
      </Button>
      <nav aria-label="Main">
        <ul className={styles.list}>
          {entries.map(({ to, label, Icon }) => (
            <li key={to}>
              <NavLink to={to} className={styles.entry ?? ''} onClick={onClose}>
                <Icon />
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
    </Drawer>
  );
}
