// What the tests of writing share: plain objects, and the error with which a promise is rejected.

export const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => {
      throw new Error('nothing was thrown');
    },
    (error: unknown) => error,
  );
