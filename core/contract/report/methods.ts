import * as z from 'zod';

/** A template as sent; both sides read its sections by `savedTemplateSchema`, which the window loads with reports. */
const sentTemplateSchema = z.object({ name: z.string().max(100), sections: z.array(z.unknown()) });
const templatesSchema = z.object({ templates: z.array(sentTemplateSchema) });

/** The part of the contract about reports. */
export const reportMethods = {
  /** By name. */
  'report.templates': { params: z.object({}), result: templatesSchema },
  /** Adds a template or replaces the one with its name. Fails as `invalid-arguments`, and as `too-many` beyond 100. */
  'report.saveTemplate': { params: z.object({ template: sentTemplateSchema }), result: templatesSchema },
  /** Does nothing if no template has the name. */
  'report.deleteTemplate': { params: z.object({ name: z.string().max(100) }), result: templatesSchema },
} as const;
