export interface Screen {
  name: string;
  path: string;
  ready: string;
  as?: 'nobody' | 'operator';
}

export interface Form {
  name: string;
  options: { viewport: { width: number; height: number }; colorScheme: 'light' | 'dark'; hasTouch?: boolean };
}

interface Signed {
  token: string;
  account: { id: string; name: string };
}

export interface Scene {
  ids: Record<'over' | 'game' | 'other' | 'waiting' | 'match', string>;
  people: Record<'margarete' | 'ferdinand' | 'sophie' | 'konrad', Signed>;
  operator: Signed | null;
}

export const SCREENS: Screen[];
export const FORMS: Form[];
export function scene(url: string, code?: string | null): Promise<Scene>;
export function storage(scene: Scene, as?: string): Record<'local' | 'session', Record<string, string>>;
export function address(screen: Screen, scene: Scene): string;
