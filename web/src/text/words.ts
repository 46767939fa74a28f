/** Texts by a name that comes from the server: those listed are there in every language, others may be missing. */
export type Words<K extends string> = Record<K, string> & { readonly [name: string]: string | undefined };

export const words = <K extends string>(texts: Record<K, string>): Words<K> => texts as Words<K>;
