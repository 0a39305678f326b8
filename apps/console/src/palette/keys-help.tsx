import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import styles from './palette.module.css';

/** Keys with what they do, as `useShortcuts` answers them. */
const keys = [
  ['Ctrl K or ⌘ K', 'Find anything'],
  ['/', 'Search this page'],
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open the row'],
  ['?', 'Show these keys'],
] as const;

/** Lists the keys of the console. */
export default function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal title="Keyboard shortcuts" onClose={onClose}>
      <dl className={styles.keys}>
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <ModalActions onCancel={onClose} cancel="Close" />
    </Modal>
  );
}
