import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { basiqSignature, zeptoSignature } from './delivery.ts';

test("Zepto's published example", () => {
  expect(zeptoSignature('1234', 1514772000, 'full payload of the request')).toBe(
    '1514772000.f04cb05adb985b29d84616fbf3868e8e58403ff819cdc47ad8fc47e6acbce29f',
  );
});

test('the example of the Standard Webhooks specification, whose scheme Basiq uses', () => {
  const signature = basiqSignature(
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    1614265330,
    '{"test": 2432232314}',
  );
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('the key is what stands in base64 after whsec_', () => {
  const expected = createHmac('sha256', Buffer.from('forged')).update('id.1.{}').digest('base64');
  expect(basiqSignature('whsec_Zm9yZ2Vk', 'id', 1, '{}')).toBe(`v1,${expected}`);
});
