// Was geschieht, während man auf einer anderen Seite ist.
import type { notices as en } from '../en/notices';
import { words } from '../words';

export const notices: typeof en = {
  notices: {
    heading: 'Mitteilungen',
    challenge: (name, terms) => `${name} fordert dich heraus: ${terms}`,
    rematch: (name) => `${name} möchte Revanche`,
    started: (name) => `Deine Partie mit ${name} hat begonnen`,
    turn: (name) => `${name} hat gezogen`,
    over: (name) => `Deine Partie mit ${name} ist beendet`,
    deadline: (name) => `Deine Zeit gegen ${name} läuft ab`,
    followed: (name, opponent) => `${name} spielt gegen ${opponent}`,
    said: (name, text) => `${name}: ${text}`,
    decided: words({
      warn: 'Eine Verwarnung vom Betreiber',
      mute: 'Du darfst zurzeit nichts schreiben',
      bar_rated: 'Du darfst zurzeit keine gewerteten Partien spielen',
    }),
    somebody: 'deinem Gegner',
    accept: 'Annehmen',
    decline: 'Ablehnen',
    open: 'Öffnen',
    dismiss: 'Schließen',
    more: (n) => `${n} weitere`,
  },
};
