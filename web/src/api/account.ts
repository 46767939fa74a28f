// One's own account.
import { token } from '../session';
import { ask } from './http';
import type { components } from './schema';

type Schemas = components['schemas'];
export type Me = Schemas['Me'];
export type Notifications = Schemas['Notifications'];
export type Choices = Schemas['NotificationChoices'];
export type Vacation = Schemas['VacationView'];
export type OwnToken = Schemas['Token'];
export type Accept = Schemas['Accept'];

const call = <T>(method: string, path: string, body?: unknown) => ask<T>(method, path, { token: token(), body });

export const read = () => call<Me>('GET', '/v1/me');
export const change = (body: object) => call<Me>('PATCH', '/v1/me', body);
export const remove = () => call<unknown>('DELETE', '/v1/me');
export const everything = () => call<unknown>('GET', '/v1/me/export');

export const notifications = () => call<Notifications>('GET', '/v1/me/notifications');
export const choose = (choices: Choices) => call<Notifications>('PUT', '/v1/me/notifications', choices);
export const confirmEmail = (code?: string) => call<unknown>('POST', '/v1/me/email/confirm', code ? { code } : {});

export const subscribe = (subscription: PushSubscriptionJSON) =>
  call<Schemas['PushView']>('POST', '/v1/me/push', { endpoint: subscription.endpoint, keys: subscription.keys });
export const unsubscribe = (id: number) => call<unknown>('DELETE', `/v1/me/push/${id}`);

export const vacation = () => call<Vacation>('GET', '/v1/me/vacation');
export const goAway = (days: number) => call<Vacation>('PUT', '/v1/me/vacation', { days });
export const comeBack = () => call<Vacation>('PUT', '/v1/me/vacation', { until: null });

export const tokens = () => call<{ tokens: OwnToken[] }>('GET', '/v1/tokens');
export const makeToken = (name: string, scopes: string[]) =>
  call<Schemas['IssuedToken']>('POST', '/v1/tokens', { name, scopes });
export const revoke = (id: number) => call<unknown>('DELETE', `/v1/tokens/${id}`);
