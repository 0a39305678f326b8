/** Jobs that requests queue, done by a worker within seconds. */
export interface Enqueue {
  syncSupporter(supporterId: string): Promise<void>;
  submitDonations(): Promise<void>;
  handleNotifications(): Promise<void>;
}
