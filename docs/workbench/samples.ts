// The real data sets that the site ships: `scripts/build-data.mjs` makes them.
export interface Sample {
  readonly name: string;
  readonly title: string;
  readonly what: string;
}

export const SAMPLES: readonly Sample[] = [
  {
    name: 'flights.cna',
    title: 'Flights',
    what: '3,000,000 flights in the United States: times, delays, distances and airports',
  },
  { name: 'weather.cstore', title: 'Weather', what: 'every day of four years in Seattle and New York' },
  { name: 'digits.syr', title: 'Digits', what: '1,000 handwritten digits of 28 x 28 pixels, items for training' },
  { name: 'zipcodes.csv', title: 'Zip codes', what: '42,049 places: a CSV file that is imported in your browser' },
];
