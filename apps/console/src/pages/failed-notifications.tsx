import {
  dropNotification,
  type FailedNotification,
  listFailedNotifications,
  listQueues,
  retryNotifications,
} from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { ActDialog } from '../ui/act-dialog.tsx';
import { Acts, OpenRow, Quiet } from '../ui/cells.tsx';
import { instantColumn } from '../ui/columns.tsx';
import { type Column, List } from '../ui/list.tsx';
import { Section } from '../ui/page.tsx';
import { instantInWords } from '../words.ts';

const titles: Record<FailedNotification['provider'], string> = {
  basiq: 'Notification of the bank link',
  zepto: 'Notification of payments',
};

const columnsFor = (open: (notification: FailedNotification) => void): Column<FailedNotification>[] => [
  {
    title: 'Notification',
    text: ({ provider, id }) => `${titles[provider]} ${id}`,
    show: (notification) => (
      <>
        <OpenRow onClick={() => open(notification)}>{titles[notification.provider]}</OpenRow>
        <Quiet>{notification.id}</Quiet>
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
    title={`Handle every open ${titles[provider].toLowerCase()}?`}
    action="Handle again"
    act={() => call(retryNotifications, { provider })}
    changes={changes}
    after={() => <p>They are handled within a minute. One that fails again is listed with its error.</p>}
    onClose={onClose}
  >
    {() => <p>Handling one twice changes nothing. Fix the cause first.</p>}
  </ActDialog>
);

const Drop = ({ notification: { provider, id }, onClose }: DialogProps) => (
  <ActDialog
    title="Drop this notification?"
    action="Drop"
    act={(form) => call(dropNotification, { provider, id, reason: String(form.get('reason')) })}
    changes={changes}
    onClose={onClose}
  >
    {(problem) => (
      <>
        <p>It is tried no more. What it says is also asked of the provider at the times of the timetable.</p>
        <TextField label="Reason" name="reason" maxLength={200} required error={problem('reason')} />
      </>
    )}
  </ActDialog>
);

function NotificationDialog({ notification, mayAct, onClose }: DialogProps & { mayAct: boolean }) {
  const [chosen, setChosen] = useState<'retry' | 'drop'>();
  if (chosen === 'retry') return <Retry notification={notification} onClose={onClose} />;
  if (chosen === 'drop') return <Drop notification={notification} onClose={onClose} />;
  return (
    <Modal title={titles[notification.provider]} onClose={onClose}>
      <p>
        {notification.id} came on {instantInWords(notification.receivedAt)} and could not be handled.
      </p>
      <Notice>{notification.error}</Notice>
      {mayAct && (
        <Acts>
          <Button look="secondary" onClick={() => setChosen('retry')}>
            Handle again
          </Button>
          <Button look="quiet" onClick={() => setChosen('drop')}>
            Drop
          </Button>
        </Acts>
      )}
      <ModalActions onCancel={onClose} cancel="Close" />
    </Modal>
  );
}
