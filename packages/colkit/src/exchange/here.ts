// What Node has in place of the parts that builds for browsers load later.
/** A module that is there already, asked for as one that is loaded when it is needed. */
export const here =
  <Module>(module: Module) =>
  (): Promise<Module> =>
    Promise.resolve(module);
