import type { TenantState } from '@sparechange/contract/console';
import { Tag } from '../../ui/page.tsx';

export const stateNames: Record<TenantState, string> = { live: 'Live', halted: 'Debits suspended', ended: 'Ended' };
const tones = { live: 'good', halted: 'bad', ended: 'plain' } as const;

export const StateTag = ({ state }: { state: TenantState }) => <Tag tone={tones[state]}>{stateNames[state]}</Tag>;
