import 'preact';

// The element that chessground draws pieces with, for use outside of the board.
declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      piece: { class?: string; 'aria-hidden'?: boolean; key?: string | number };
    }
  }
}
