import type { UserRecord } from '@sparechange/contract';
import { isoDate, longDay } from '@sparechange/domain';
import { Card } from '#ui/card.tsx';
import { Money } from '#ui/money.tsx';
import { TextLink } from '#ui/text-link.tsx';

interface CampaignEndedCardProps {
  user: UserRecord;
  ended: NonNullable<UserRecord['campaignEnded']>;
  /** True if half the round-ups was set aside until then. */
  isSaving: boolean;
}

/** Replaces all controls once a campaign is over, and says what became of waiting round-ups. */
export const CampaignEndedCard = ({ user, ended: { on, droppedCents }, isSaving }: CampaignEndedCardProps) => (
  <Card title="This campaign has ended">
    <p>Since {longDay(isoDate(on))} nothing is rounded up, debited or donated. Thank you for your change.</p>
    {droppedCents > 0 && (
      <p>
        <Money amountCents={droppedCents} /> was still waiting. It is dropped: it will not be debited, and you do not
        owe it.
      </p>
    )}
    <p>
      Debits that your bank has already are completed
      {isSaving && ', and what was set aside for you is deposited'}. Your history and receipts stay here.
    </p>
    {user.isConsent && (
      <p>
        Your bank still shares data with us. <TextLink to="/terms">Stop sharing</TextLink>
      </p>
    )}
  </Card>
);
