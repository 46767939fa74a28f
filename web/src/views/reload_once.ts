// After an upgrade the server no longer has the files that a page of before asks for: the page has to be loaded anew.

/** What is known of a page that could not load a part of itself. */
export interface Failure {
  /** Whether the server answers: without one there is nothing to load. */
  isServerThere(): Promise<boolean>;
  /** For which build this tab has been loaded anew. */
  reloadedFor: string | null;
  /** This page's own. */
  build: string;
}

/** Once for a build: what fails again after that is broken, and not old. */
export async function wantsReload({ isServerThere, reloadedFor, build }: Failure): Promise<boolean> {
  return reloadedFor !== build && (await isServerThere());
}
