import { retrieveRequestText, retrieveTimeline } from '@sparechange/contract/console';
import { counted } from '@sparechange/domain/counted';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { useState } from 'react';
import { useAnswer } from '#api/use-answer.ts';
import { OpenRow } from '../../ui/cells.tsx';
import { exportedInstant } from '../../ui/exported-instant.ts';
import { Failure } from '../../ui/failure.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Loading, Section } from '../../ui/page.tsx';
import { SaveRows } from '../../ui/save-rows.tsx';
import { instantInWords } from '../../words.ts';
import { dayInWords } from './supporter-state.ts';
import styles from './supporters.module.css';

const shownAtFirst = 12;

type Event = (typeof retrieveTimeline)['output']['_output']['events'][number];
const exportedColumns = [
  { title: 'When', text: ({ at, on }: Event) => on ?? exportedInstant(at) },
  { title: 'What', text: ({ sentence }: Event) => sentence },
];

/** A supporter's events, newest first, with the direct debit requests they agreed to. */
export function Timeline({ supporterId }: { supporterId: string }) {
  const [isAll, setAll] = useState(false);
  const [opened, setOpened] = useState<string>();
  const timeline = useAnswer(retrieveTimeline, { supporterId });
  if (timeline.error) return <Failure of={timeline.error} again={timeline.refetch} />;
  if (!timeline.data) return <Loading />;
  const { events, leftOut, isWhole } = timeline.data;
  const shown = isAll ? events : events.slice(0, shownAtFirst);
  return (
    <Section title="Timeline">
      {!isWhole && (
        <Notice>Entries of the audit log about them were changed or are missing. Please tell an owner.</Notice>
      )}
      <ul className={styles.timeline}>
        {shown.map(({ number, at, on, sentence, textHash }) => (
          <li key={number}>
            <time dateTime={on ?? at}>{on ? dayInWords(on) : instantInWords(at)}</time>
            <span>
              {sentence} {textHash && <OpenRow onClick={() => setOpened(textHash)}>Read the text</OpenRow>}
            </span>
          </li>
        ))}
      </ul>
      {isAll && leftOut > 0 && <p>{counted(leftOut, 'older entry', 'older entries')} not shown here.</p>}
      {!isAll && events.length > shownAtFirst && (
        <Button look="secondary" onClick={() => setAll(true)}>
          Show all {events.length}
        </Button>
      )}
      {events.length > 0 && <SaveRows name="Timeline" columns={exportedColumns} rows={events} />}
      {opened && <RequestText hash={opened} onClose={() => setOpened(undefined)} />}
    </Section>
  );
}

function RequestText({ hash, onClose }: { hash: string; onClose: () => void }) {
  const text = useAnswer(retrieveRequestText, { hash });
  return (
    <Modal title="As it was agreed to" onClose={onClose}>
      <Loaded query={text}>
        {({ content }) => <div className={styles.requestText}>{content.replace(/\n(?!- )/g, '\n\n')}</div>}
      </Loaded>
      <ModalActions onCancel={onClose} cancel="Close" />
    </Modal>
  );
}
