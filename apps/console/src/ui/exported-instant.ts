import { sydneyClockTime } from '@sparechange/domain';

/** "2026-11-23 10:15:00" in Sydney, the one form of instants in exports: with the year, sorted as text, read by spreadsheets. */
export const exportedInstant = (instant: string | Date): string => sydneyClockTime(new Date(instant));
