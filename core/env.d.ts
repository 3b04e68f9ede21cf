/**
 * The few globals that every supported JavaScript runtime has and that no ES library declares. `core` compiles against
 * these alone, so that using DOM or Node inside it is a type error.
 */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: Uint8Array, options?: { stream?: boolean }): string;
}
declare class TextEncoder {
  encode(input: string): Uint8Array<ArrayBuffer>;
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number };
}
declare const URL: { canParse(url: string): boolean };
declare function atob(text: string): string;
declare function btoa(units: string): string;
