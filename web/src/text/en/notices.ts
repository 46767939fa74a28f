// What happens while one is on another page.
import { words } from '../words';

export const notices = {
  notices: {
    heading: 'Notices',
    challenge: (name: string, terms: string) => `${name} challenges you: ${terms}`,
    rematch: (name: string) => `${name} wants a rematch`,
    started: (name: string) => `Your game with ${name} has started`,
    turn: (name: string) => `${name} has moved`,
    over: (name: string) => `Your game with ${name} is over`,
    deadline: (name: string) => `Your time against ${name} is running out`,
    followed: (name: string, opponent: string) => `${name} plays ${opponent}`,
    said: (name: string, text: string) => `${name}: ${text}`,
    decided: words({
      warn: 'A warning from the operator',
      mute: 'You may not write at the moment',
      bar_rated: 'You may not play rated games at the moment',
    }),
    somebody: 'your opponent',
    accept: 'Accept',
    decline: 'Decline',
    open: 'Open',
    dismiss: 'Dismiss',
    more: (n: number) => `${n} more`,
  },
};
