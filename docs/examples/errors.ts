import { isColkitError, open } from 'colstore';

try {
  await open('nowhere.cstore');
} catch (error) {
  if (!isColkitError(error)) throw error;
  console.log(error.name, error.code); // → IoError ERR_NOT_FOUND
}
