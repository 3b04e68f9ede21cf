/** A resource of {@link otlpRequest}: its attributes, and the weight of stacks, root first: `main;parse`. */
export interface OtlpJsonResource {
  readonly attributes: Readonly<Record<string, string>>;
  readonly stacks: Readonly<Record<string, number>>;
  readonly profileId?: string;
  readonly timeUnixNano?: string;
}

/** Returns an `ExportProfilesServiceRequest` in JSON, with one profile of CPU time for each resource. */
export function otlpRequest(resources: readonly OtlpJsonResource[]) {
  const strings = ['', 'cpu', 'nanoseconds'];
  const functions: object[] = [{}];
  const locations: object[] = [{}];
  const stacks: object[] = [{}];
  const locationOf = (name: string): number => {
    functions.push({ nameStrindex: strings.push(name) - 1 });
    return locations.push({ lines: [{ functionIndex: functions.length - 1 }] }) - 1;
  };
  return {
    resourceProfiles: resources.map(({ attributes, stacks: weights, ...profile }) => ({
      resource: {
        attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } })),
      },
      scopeProfiles: [
        {
          profiles: [
            {
              sampleType: { typeStrindex: 1, unitStrindex: 2 },
              samples: Object.entries(weights).map(([path, weight]) => ({
                stackIndex: stacks.push({ locationIndices: path.split(';').map(locationOf).reverse() }) - 1,
                values: [String(weight)],
              })),
              ...profile,
            },
          ],
        },
      ],
    })),
    dictionary: { stringTable: strings, functionTable: functions, locationTable: locations, stackTable: stacks },
  };
}
