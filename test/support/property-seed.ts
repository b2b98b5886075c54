import fc from 'fast-check';

// A build must not fail for a rare case that its change has nothing to do with: there the properties are tried on the
// same values every time. Everywhere else the values are new with every run, and what they find becomes a test.
if (process.env['CI'] === 'true') fc.configureGlobal({ seed: 20261201 });
