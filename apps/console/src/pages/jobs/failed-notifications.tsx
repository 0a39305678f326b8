import {
  dropNotification,
  type FailedNotification,
  listFailedNotifications,
  listQueues,
  retryNotifications,
} from '@sparechange/contract/console';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Line, OpenRow, Quiet, ShortId } from '../../ui/cells.tsx';
import { instantColumn } from '../../ui/columns.tsx';
import { type Column, List } from '../../ui/list.tsx';
import { Section } from '../../ui/page.tsx';
import { instantInWords } from '../../words.ts';
import { DropDialog, FailedWorkDialog } from './failed-work-dialog.tsx';
import styles from './jobs.module.css';

const titles: Record<string, string> = {
  basiq: 'Notification of the bank link',
  zepto: 'Notification of payments',
};
const titleOf = (provider: string) => titles[provider] ?? `Notification of ${provider}`;

const columnsFor = (open: (notification: FailedNotification) => void): Column<FailedNotification>[] => [
  {
    title: 'Notification',
    text: ({ provider, id }) => `${titleOf(provider)} ${id}`,
    opens: true,
    show: (notification) => (
      <>
        <OpenRow onClick={() => open(notification)}>{titleOf(notification.provider)}</OpenRow>
        <Quiet>
          <ShortId id={notification.id} />
        </Quiet>
        <Line className={styles.onPhone}>{notification.error}</Line>
      </>
    ),
  },
  instantColumn('Came', ({ receivedAt }) => receivedAt),
  { title: 'Last error', text: ({ error }) => error, isSecondary: true },
];

/** Notifications of providers that could not be handled. */
export function FailedNotifications({ mayAct }: { mayAct: boolean }) {
  const [opened, setOpened] = useState<FailedNotification>();
  return (
    <Section title="Failed notifications">
      <List
        name="Failed notifications"
        operation={listFailedNotifications}
        columns={columnsFor(setOpened)}
        empty="Every notification of a provider was handled. One that fails is tried again with the next."
      />
      {opened && <NotificationDialog notification={opened} mayAct={mayAct} onClose={() => setOpened(undefined)} />}
    </Section>
  );
}

interface DialogProps {
  notification: FailedNotification;
  onClose: () => void;
}

const changes = [listFailedNotifications, listQueues];

const Retry = ({ notification: { provider }, onClose }: DialogProps) => (
  <ActDialog
    title={`Handle every open ${titleOf(provider).toLowerCase()}?`}
    action="Handle again"
    act={() => call(retryNotifications, { provider })}
    changes={changes}
    after={() => <p>They are handled within a minute. One that fails again is listed with its error.</p>}
    onClose={onClose}
  >
    {() => <p>Handling one twice changes nothing. Fix the cause first.</p>}
  </ActDialog>
);

const NotificationDialog = ({ notification, mayAct, onClose }: DialogProps & { mayAct: boolean }) => {
  const { provider, id, receivedAt, error } = notification;
  return (
    <FailedWorkDialog
      title={titleOf(provider)}
      error={error}
      retry="Handle again"
      mayAct={mayAct}
      retrying={<Retry notification={notification} onClose={onClose} />}
      dropping={
        <DropDialog
          title="Drop this notification?"
          drop={(reason) => call(dropNotification, { provider, id, reason })}
          changes={changes}
          onClose={onClose}
        >
          It is tried no more. What it says is also asked of the provider at the times of the timetable.
        </DropDialog>
      }
      onClose={onClose}
    >
      {id} came on {instantInWords(receivedAt)} and could not be handled.
    </FailedWorkDialog>
  );
};
