/** The QR encoder inside pdfmake, which its types leave out. */
declare module 'pdfmake/js/qrEnc.js' {
  interface Rectangle {
    x: number;
    y: number;
    w: number;
  }
  const encoder: {
    measure(node: { qr: string; eccLevel: 'L' | 'M' | 'Q' | 'H' }): { _canvas: Rectangle[] };
  };
  export default encoder;
}
