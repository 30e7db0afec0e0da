// Runs in the thread of Node's module hooks: what the modules of the bench import by name is taken from the checkout
// that was given.
import type { InitializeHook, ResolveHook } from 'node:module';
import type { Redirection } from './checkout.ts';

let redirection: Redirection = { importers: 'none:', modules: {} };

export const initialize: InitializeHook<Redirection> = (data) => {
  redirection = data;
};

export const resolve: ResolveHook = (specifier, context, next) => {
  const url =
    context.parentURL?.startsWith(redirection.importers) === true ? redirection.modules[specifier] : undefined;
  return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true };
};
